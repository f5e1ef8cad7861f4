/**
 * Finds the item that a name in an address refers to: the exact match, or else the only match that ignores case.
 * @returns null if there is none, or if several match ignoring case
 */
export function onlyOfName<T>(
  wanted: string,
  things: readonly T[],
  nameOf: (thing: T) => string,
): T | null {
  const exact = things.filter((thing) => nameOf(thing) === wanted);
  const matches =
    exact.length > 0
      ? exact
      : things.filter((thing) => withoutCase(nameOf(thing)) === withoutCase(wanted));
  const [first] = matches;
  return first !== undefined && matches.length === 1 ? first : null;
}

/** Upper case first, because some letters have no lower case of their own. */
function withoutCase(name: string): string {
  return name.normalize("NFC").toUpperCase().toLowerCase();
}
