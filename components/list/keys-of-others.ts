const TYPED_INTO = "input:not([type=checkbox]), textarea, select, [role=menu]";

/** Somewhere that letters are typed into or choose something. */
export function isTypedInto(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(TYPED_INTO) !== null;
}

/** Whether a pressed key is the browser's, or of somewhere that wants its keys for itself: a field, a menu, a dialog. */
export function isKeyOfOthers(event: KeyboardEvent): boolean {
  const { target } = event;
  return (
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    isTypedInto(target) ||
    (target instanceof Element && target.closest("[role=dialog], [role=alertdialog]") !== null)
  );
}
