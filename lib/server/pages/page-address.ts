import { headers } from "next/headers";

/** `proxy.ts` always overwrites this header; a client's value never arrives. */
const PATH_HEADER = "x-plumbline-path";

/** The address of this page as requested by the browser: path and query. */
export async function currentAddress(): Promise<string> {
  return (await headers()).get(PATH_HEADER) ?? "/";
}

/** A path with this page's query, for a redirect. */
export async function withQuery(path: string): Promise<string> {
  const address = await currentAddress();
  const at = address.indexOf("?");
  return at === -1 ? path : path + address.slice(at);
}

/**
 * The segments of this page's path, still percent-encoded. `params` can't be used for arbitrary
 * names: Next passes them encoded to a page and decoded to its metadata, and a name that looks
 * encoded itself (`100%`, `%2F`) would become another one.
 */
export async function pathSegments(): Promise<string[]> {
  const [path = ""] = (await currentAddress()).split("?");
  return path.split("/").slice(1);
}

/**
 * Whether a visit starts here: by typing the address, a bookmark, a link from elsewhere, or after
 * signing in; not by a link of ours or a reload.
 */
export async function isPlainVisit(): Promise<boolean> {
  const given = await headers();
  if (!(await asksForDocument()) || given.has("rsc")) return false;
  if (/no-cache|max-age=0/.test(given.get("cache-control") ?? "")) return false;
  const site = given.get("sec-fetch-site") ?? "none";
  if (site !== "same-origin") return true;
  const from = given.get("referer") ?? "";
  return URL.canParse(from) && new URL(from).pathname === "/signin";
}

/**
 * Whether a browser opens this page from scratch, rather than from an open page of ours, which
 * loads data itself and prefetches pages that may never be viewed. Without the header it counts as
 * opening.
 */
export async function asksForDocument(): Promise<boolean> {
  return (await headers()).get("sec-fetch-dest") !== "empty";
}
