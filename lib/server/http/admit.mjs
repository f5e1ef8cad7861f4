import { isIP } from "node:net";
import { refuse } from "./refuse.mjs";

/** What anything here can be asked for. Next answers any other method, TRACE for one, as a failure of ours. */
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
const HOST = /^(\[[\da-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/i;
/** A name, a dot and a port. */
const LONGEST_HOST = 260;
/** No browser and no proxy sends half as many. */
const MOST_HEADERS = 200;
const LAST_PORT = 65_535;

/**
 * The hosts under which we answer: those that were configured, and whatever no other site's name can lead to,
 * which are loopback names and IP literals. A name that somebody else points at this machine is none of them.
 * @param {readonly (string | undefined)[]} names host names without a port
 * @returns {(host: string | undefined) => "ours" | "foreign" | "malformed"} takes a `Host` header
 */
export function createHostCheck(names) {
  const known = new Set(names.map((name) => name?.toLowerCase()));
  return (host) => {
    const [, given, port = "0"] = HOST.exec(host?.slice(0, LONGEST_HOST + 1) ?? "") ?? [];
    // What reads our own address of a request must not fail over it.
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
 * Refuses what no address of ours can be asked: 405 for an odd method, 431 for too many headers, 400 for a target that
 * is no path and for a host that is none, missing or given twice, 421 for one that is not ours.
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 * @param {ReturnType<typeof createHostCheck>} whose
 * @param {Readonly<Record<string, string>>} headers for a refusal
 * @param {(event: "host_refused" | "method_refused") => void} note
 * @returns {boolean} false when the request was answered here
 */
export function admit(request, response, whose, headers, note) {
  if (!METHODS.includes(request.method ?? "")) {
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
  if (request.rawHeaders.length > 2 * MOST_HEADERS) {
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
 * Node takes the first of two, and what stands in front of us may have taken the other.
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
 * The address in a form that a page or handler can be found by.
 *
 * A path that cannot be decoded would be a 500; its percent signs are taken literally, and so it names
 * nothing. Doubled and closing slashes of our APIs would be redirected by Next itself, past every check
 * and without the headers that each answer there carries.
 * @param {string} url path and query as they came
 */
export function plainAddress(url) {
  const queryAt = url.indexOf("?");
  const end = queryAt < 0 ? url.length : queryAt;
  let path = url.slice(0, end);
  if (path.includes("%") && !isDecodable(path)) path = path.replaceAll("%", "%25");
  // "//host/path" would be another host's to whoever reads it as an address.
  if (path.startsWith("//")) path = path.replace(/^\/+/, "/");
  if (path.startsWith("/api/")) path = path.replaceAll(/\/{2,}/g, "/").replace(/\/$/, "");
  return path + url.slice(end);
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
