/** The confirmation before unpairing, stored during a redirect to the identity provider. */
export const UNPAIR = "unpair";

/** @param state stored in this browser, maybe by another version of the page */
export function isUnpairing(state: unknown): state is { display: string } {
  return typeof state === "object" && state !== null && "display" in state;
}
