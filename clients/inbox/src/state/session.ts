import { create } from "zustand";
import { getMe, signIn, signOut, type Me } from "../api/doors.ts";
import { announceSignedOut, DoorError, onSignedOut } from "../api/http.ts";
import { dropAllDrafts } from "./drafts.ts";

type Session =
  | { phase: "checking" }
  | { phase: "unreachable" }
  | { phase: "out"; ended: boolean }
  | { phase: "in"; me: Me };

export const useSession = create<{ session: Session }>(() => ({ session: { phase: "checking" } }));

function set(session: Session): void {
  useSession.setState({ session });
}

/** Asks who is signed in; called at the start and after a sign-in. */
export async function checkSession(): Promise<void> {
  try {
    set({ phase: "in", me: await getMe() });
  } catch (error) {
    if (error instanceof DoorError && error.status === 401) return;
    set({ phase: "unreachable" });
  }
}

export async function startSession(credential: { link: string } | { key: string }): Promise<void> {
  await signIn(credential);
  await checkSession();
}

export async function endSession(): Promise<void> {
  await signOut();
  dropAllDrafts();
  set({ phase: "out", ended: false });
  announceSignedOut();
}

onSignedOut(() => {
  const { session } = useSession.getState();
  if (session.phase !== "out") set({ phase: "out", ended: session.phase === "in" });
});
