/**
 * A path of our own origin, or `/` when the given address is anything else. Parsed the way a browser
 * would, because `//host`, `/\host` and control characters all lead elsewhere.
 * @param given a path, or an absolute address
 * @param origin our own origin, such as `https://sync.example.com`
 * @returns path, query and hash; never begins with `//`, so it stays ours also as a relative address
 */
export function ownPath(given: string, origin: string): string {
  if (!URL.canParse(given, origin)) return "/";
  const target = new URL(given, origin);
  const path = target.pathname + target.search + target.hash;
  return target.origin === new URL(origin).origin && !path.startsWith("//") ? path : "/";
}
/**
 * The address of a page that a person sees and comes back to: path and query. `_rsc` is Next's own marker for reading a
 * page in parts.
 */
export function pageAddress(pathname: string, searchParams: URLSearchParams): string {
  const own = new URLSearchParams(searchParams);
  own.delete("_rsc");
  return own.size > 0 ? `${pathname}?${own.toString()}` : pathname;
}

/** Where those who aren't signed in are sent from a page, to come back to it. */
export function signInAddress(path: string): string {
  return path === "/" ? "/signin" : `/signin?callbackUrl=${encodeURIComponent(path)}`;
}
