/**
 * Where a request says that it comes from. Browsers send `Sec-Fetch-Site` and, with every POST,
 * `Origin`, and let no page forge them.
 * @param appUrl our public origin; the address under which the browser reached us counts as ours too
 * @returns `own`, `foreign`, or `unsaid` when there is neither header
 */
export function requestOrigin(
  headers: Pick<Headers, "get">,
  appUrl: string,
): "own" | "foreign" | "unsaid" {
  const site = headers.get("sec-fetch-site");
  const origin = headers.get("origin");
  if (site === null && origin === null) return "unsaid";
  if (site !== null && site !== "same-origin") return "foreign";
  return origin === null || isOwn(origin, headers.get("host"), appUrl) ? "own" : "foreign";
}

function isOwn(origin: string, host: string | null, appUrl: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { origin: given, host: givenHost } = new URL(origin);
  return given === new URL(appUrl).origin || (givenHost !== "" && givenHost === host);
}
