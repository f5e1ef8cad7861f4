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
