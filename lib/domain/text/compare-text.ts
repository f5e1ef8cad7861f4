/** Compares by code unit: the same order in every locale, process and instance. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
