const TYPED_INTO = "input:not([type=checkbox]), textarea, select, [role=menu]";

/** Somewhere that letters are typed into or choose something. */
export function isTypedInto(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(TYPED_INTO) !== null;
}

/** Somewhere that wants its keys for itself: a field, a menu, a dialog. */
export function wantsKeys(target: EventTarget | null): boolean {
  return (
    isTypedInto(target) ||
    (target instanceof Element && target.closest("[role=dialog], [role=alertdialog]") !== null)
  );
}
