import { headers } from "next/headers";

/** `proxy.ts` always overwrites this header; what a client sends under it never arrives. */
const PATH_HEADER = "x-plumbline-path";

/** The address of this page as the browser asked for it: path and query. */
export async function currentAddress(): Promise<string> {
  return (await headers()).get(PATH_HEADER) ?? "/";
}

/** A path with the query of this page's address, for leading a link on to where it means. */
export async function withQuery(path: string): Promise<string> {
  const address = await currentAddress();
  const at = address.indexOf("?");
  return at === -1 ? path : path + address.slice(at);
}

/**
 * The segments of this page's path, still percent-encoded. `params` will not do for names that may hold
 * anything: Next gives them encoded to a page and decoded to its metadata, and a name that looks encoded
 * itself (`100%`, `%2F`) would be read as another one.
 */
export async function pathSegments(): Promise<string[]> {
  const [path = ""] = (await currentAddress()).split("?");
  return path.split("/").slice(1);
}

/**
 * Whether somebody comes to Plumbline by this page, as by its name or a bookmark, or after signing in: not by a link
 * of ours, nor by loading a page again that they are on.
 */
export async function isPlainVisit(): Promise<boolean> {
  const asked = await headers();
  if (!(await asksForDocument()) || asked.has("rsc")) return false;
  if (/no-cache|max-age=0/.test(asked.get("cache-control") ?? "")) return false;
  const site = asked.get("sec-fetch-site") ?? "none";
  if (site !== "same-origin") return true;
  const from = asked.get("referer") ?? "";
  return URL.canParse(from) && new URL(from).pathname === "/signin";
}

/**
 * Whether a browser opens this page, and not one of ours that is open already: such a one has its own ways
 * to the data, and asks ahead for pages that nobody may ever look at. Whoever does not say opens it.
 */
export async function asksForDocument(): Promise<boolean> {
  return (await headers()).get("sec-fetch-dest") !== "empty";
}
