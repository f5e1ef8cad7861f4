/**
 * A path of our own origin, or `/` for any other address. Parsed as a browser would, because
 * `//host`, `/\host` and control characters all lead elsewhere.
 * @param given a path, or an absolute address
 * @param origin our own origin, such as `https://sync.example.com`
 * @returns path, query and hash; never starts with `//`, so it stays ours also as a relative
 *   address
 */
export function ownPath(given: string, origin: string): string {
  if (!URL.canParse(given, origin)) return "/";
  const target = new URL(given, origin);
  const path = target.pathname + target.search + target.hash;
  return target.origin === new URL(origin).origin && !path.startsWith("//") ? path : "/";
}
/**
 * The address of a page as people see it: path and query. `_rsc` is Next's marker for partial page
 * requests.
 */
export function pageAddress(pathname: string, searchParams: URLSearchParams): string {
  const own = new URLSearchParams(searchParams);
  own.delete("_rsc");
  return own.size > 0 ? `${pathname}?${own.toString()}` : pathname;
}

/** The sign-in address that returns to this page. */
export function signInAddress(path: string): string {
  return path === "/" ? "/signin" : `/signin?callbackUrl=${encodeURIComponent(path)}`;
}
