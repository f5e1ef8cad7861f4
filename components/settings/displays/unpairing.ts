/** The question before a display is unpaired, kept while its person is at their provider. */
export const UNPAIR = "unpair";

/** @param state what was kept in this browser, maybe by another version of the page */
export function isUnpairing(state: unknown): state is { display: string } {
  return typeof state === "object" && state !== null && "display" in state;
}
