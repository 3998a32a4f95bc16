/** After the page that holds the fault is drawn, the person is taken to it. */
export function focusFault(pointer: string): void {
  requestAnimationFrame(() => {
    const box = document.querySelector(`[data-pointer="${CSS.escape(pointer)}"]`);
    const control = box?.querySelector<HTMLElement>("input, select, textarea, button");
    control?.focus();
    box?.scrollIntoView({ block: "center" });
  });
}
