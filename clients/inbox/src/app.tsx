import { useEffect, type ReactElement } from "react";
import { Redirect, useLocation, useRoute } from "wouter";
import { Inbox } from "./inbox.tsx";
import { messages } from "./messages.ts";
import { SignInKey } from "./sign-in/sign-in-key.tsx";
import { SignInLink } from "./sign-in/sign-in-link.tsx";
import { checkSession, useSession } from "./state/session.ts";
import { Button } from "./ui/button.tsx";
import { Notice } from "./ui/notice.tsx";

function Unreachable(): ReactElement {
  return (
    <main>
      <Notice icon="alert" title={messages.signIn.unreachable} text={messages.list.failedText}>
        <Button onClick={() => void checkSession()}>{messages.retry}</Button>
      </Notice>
    </main>
  );
}

export function App(): ReactElement {
  const session = useSession((state) => state.session);
  const [location] = useLocation();
  const [, link] = useRoute("/signin/:token");
  useEffect(() => {
    void checkSession();
  }, []);

  if (link) return <SignInLink token={link.token} />;
  switch (session.phase) {
    case "checking":
      return <main aria-busy="true" />;
    case "unreachable":
      return <Unreachable />;
    case "out":
      return <SignInKey ended={session.ended} />;
    case "in":
      return location.startsWith("/signin") ? <Redirect to="/" replace /> : <Inbox me={session.me} />;
  }
}
