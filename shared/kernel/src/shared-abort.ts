import { setMaxListeners } from "node:events";

/** A controller whose signal any number of works listen to at a time; of an ordinary one Node warns above ten. */
export function sharedAbort(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}
