/** The only cause that the API gives is a partner's limit on requests. @param isLimited whether it is one here */
export function knownCauseText(isLimited: boolean): string {
  return isLimited ? "Rate limiting is the only known cause." : "No cause is known.";
}
