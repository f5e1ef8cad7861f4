/** Scheme, name and port of an API's address: companies there share its fate. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : address;
}
