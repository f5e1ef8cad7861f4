/**
 * The one thing that a name in an address means: the one of that very name, or else the only one of that
 * name without regard to case.
 * @returns null when there is none, and when several would do
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

/** Up first, since some letters have no small form of their own. */
function withoutCase(name: string): string {
  return name.normalize("NFC").toUpperCase().toLowerCase();
}
