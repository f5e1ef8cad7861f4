const TYPED_INTO = "input:not([type=checkbox]), textarea, select, [role=menu]";

/** Whether letters are typed into this element, or choose something in it. */
export function isTypedInto(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(TYPED_INTO) !== null;
}

/**
 * Whether a key belongs to the browser, or to an element that handles its own keys: a field, a
 * menu, a dialog.
 */
export function isHandledElsewhere(event: KeyboardEvent): boolean {
  const { target } = event;
  return (
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    isTypedInto(target) ||
    (target instanceof Element && target.closest("[role=dialog], [role=alertdialog]") !== null)
  );
}
