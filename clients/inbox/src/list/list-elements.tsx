import type { ReactElement } from "react";
import type { CustomContainerComponentProps, CustomItemComponentProps } from "virtua";
import { messages } from "../messages.ts";

/** The roles are said outright: browsers drop them from lists without bullets. */
export function ListItems({ style, children, ref }: CustomContainerComponentProps): ReactElement {
  return (
    <div role="list" aria-label={messages.list.name} style={style} ref={ref}>
      {children}
    </div>
  );
}

export function ListRow({ style, children, index, ref }: CustomItemComponentProps): ReactElement {
  return (
    <div role="listitem" aria-posinset={index + 1} style={style} ref={ref}>
      {children}
    </div>
  );
}
