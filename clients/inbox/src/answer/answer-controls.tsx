import { lazy, Suspense, type ReactElement } from "react";
import type { Item } from "../api/item.ts";
import { messages } from "../messages.ts";
import { ConfirmAnswer } from "./confirm-answer.tsx";
import { ExternalAnswer } from "./external-answer.tsx";
import { SelectAnswer } from "./select-answer.tsx";
import { TextAnswer } from "./text-answer.tsx";

/** Most questions need no form: its renderer and the schema checks come when the first one does. */
const FormAnswer = lazy(() =>
  import("../form/form-answer.tsx").then(({ FormAnswer }) => ({ default: FormAnswer })),
);

export function AnswerControls({ item }: { item: Item }): ReactElement {
  switch (item.answer_format) {
    case "text":
      return <TextAnswer item={item} />;
    case "confirm":
      return <ConfirmAnswer item={item} />;
    case "select":
      return <SelectAnswer item={item} />;
    case "external":
      return <ExternalAnswer item={item} />;
    case "form":
      return (
        <Suspense fallback={<p>{messages.loading}</p>}>
          <FormAnswer item={item} />
        </Suspense>
      );
  }
}
