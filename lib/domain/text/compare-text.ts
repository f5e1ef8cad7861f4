/** The order of two texts by code unit: the same in every locale, at every start and for every instance. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
