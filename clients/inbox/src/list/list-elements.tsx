import { createContext, useContext, type ReactElement } from "react";
import type { CustomContainerComponentProps, CustomItemComponentProps } from "virtua";
import { messages } from "../messages.ts";

/** How many rows there are, drawn or not: -1 while pages are missing. */
export const SetSize = createContext(-1);

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
    <div role="listitem" aria-setsize={useContext(SetSize)} aria-posinset={index + 1} style={style} ref={ref}>
      {children}
    </div>
  );
}
