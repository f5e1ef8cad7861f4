import { isIP } from "node:net";
import { refuse } from "./refuse.mjs";
import { METHODS } from "./routes/methods.mjs";

const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/i;
/** A name, a dot and a port. */
const LONGEST_HOST = 260;
/** No browser or proxy sends half as many. */
const MAX_HEADERS = 200;
const LAST_PORT = 65_535;
/** More segments and parameters than any address of ours has: Next's parsing is quadratic in them. */
const MAX_PARTS = 100;
/** Browsers resolve dot segments and turn backslashes into slashes before they send a path. */
const UNRESOLVED = /\\|\/(?:\.|%2e){1,2}(?:\/|$)/i;

/**
 * The hosts under which we respond: configured ones, and those that no other site's name can
 * resolve to, which are loopback names and IP literals. Another site's name that points at this
 * machine is neither.
 * @param {readonly (string | undefined)[]} names host names without a port
 * @returns {(host: string | undefined) => "ours" | "foreign" | "malformed"} takes a `Host` header
 */
export function createHostCheck(names) {
  const known = new Set(names.map((name) => name?.toLowerCase()));
  return (host) => {
    const [, given, port = "0"] = HOST.exec(host?.slice(0, LONGEST_HOST + 1) ?? "") ?? [];
    // Code that parses our own address from a request must not fail on it.
    if (
      given === undefined ||
      given.length > LONGEST_HOST ||
      Number(port) > LAST_PORT ||
      !URL.canParse(`http://${host}`)
    )
      return "malformed";
    const name = given.toLowerCase().replace(/\.$/, "");
    if (known.has(name) || name === "localhost" || name.endsWith(".localhost")) return "ours";
    return isIP(name.replace(/^\[(.*)\]$/, "$1")) === 0 ? "foreign" : "ours";
  };
}

/**
 * Refuses what no address of ours accepts: 405 for an unknown method, 431 for too many headers, 400
 * for a target that isn't a resolved path and for an invalid, missing or duplicate host, 414 for too
 * many parts of an address, 421 for a foreign host.
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 * @param {ReturnType<typeof createHostCheck>} whose
 * @param {Readonly<Record<string, string>>} headers for a refusal
 * @param {(event: "host_refused" | "method_refused") => void} note
 * @returns {boolean} false when the request was answered here
 */
export function admit(request, response, whose, headers, note) {
  if (!METHODS.some((method) => method === request.method)) {
    note("method_refused");
    refuse(response, 405, "method_not_allowed", "This address doesn't accept that method.", {
      ...headers,
      allow: METHODS.join(", "),
    });
    return false;
  }
  if (!request.url?.startsWith("/")) {
    refuse(response, 400, "invalid_request", "The request has no path.", headers);
    return false;
  }
  const path = pathOf(request.url);
  if (UNRESOLVED.test(path)) {
    refuse(response, 400, "invalid_request", "The path has dot segments or backslashes.", headers);
    return false;
  }
  if (hasMore(path, "/") || hasMore(request.url.slice(path.length), "&")) {
    refuse(response, 414, "invalid_request", "The address has too many parts.", headers);
    return false;
  }
  if (request.rawHeaders.length > 2 * MAX_HEADERS) {
    refuse(response, 431, "header_too_large", "The request has too many headers.", headers);
    return false;
  }
  const host = hasTwoHosts(request.rawHeaders) ? "malformed" : whose(request.headers.host);
  if (host === "malformed") {
    refuse(response, 400, "invalid_request", "The request doesn't name one valid host.", headers);
    return false;
  }
  if (host === "foreign") {
    note("host_refused");
    refuse(response, 421, "misdirected_request", "This host name isn't served here.", headers);
    return false;
  }
  return true;
}

/**
 * The path of a request target, without its query.
 * @param {string} url
 */
export function pathOf(url) {
  const queryAt = url.indexOf("?");
  return queryAt < 0 ? url : url.slice(0, queryAt);
}

/**
 * @param {string} text
 * @param {string} separator
 */
function hasMore(text, separator) {
  return text.split(separator, MAX_PARTS + 2).length > MAX_PARTS + 1;
}

/**
 * Node uses the first of two, and a proxy in front may have used the other.
 * @param {readonly string[]} raw names and values in turns
 */
function hasTwoHosts(raw) {
  let found = 0;
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] ?? "";
    if (name.length === 4 && name.toLowerCase() === "host") found += 1;
  }
  return found > 1;
}

/**
 * The address in a form that pages and handlers can be matched with. A path that can't be decoded
 * would be a 500; its percent signs are taken literally, so it matches nothing. Next would redirect
 * duplicate and trailing slashes of our APIs itself, bypassing every check and our headers.
 * @param {string} url raw path and query
 */
export function plainAddress(url) {
  const raw = pathOf(url);
  let path = raw;
  if (path.includes("%") && !isDecodable(path)) path = path.replaceAll("%", "%25");
  // As a URL, "//host/path" would belong to another host.
  if (path.startsWith("//")) path = path.replace(/^\/+/, "/");
  if (path.startsWith("/api/")) path = path.replaceAll(/\/{2,}/g, "/").replace(/\/$/, "");
  return path + url.slice(raw.length);
}

/** @param {string} path */
function isDecodable(path) {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
