import { isIP, isIPv4 } from "node:net";

/** Headers that only we may set: a client's are dropped. */
const OURS =
  /^(?:x-forwarded-.*|forwarded|x-real-ip|x-plumbline-.*|x-nonce|content-security-policy)$/;

/** Internal headers of Next; a client that sends one would be mistaken for Next itself. */
const NEXTS =
  /^(?:x-(?:middleware|nextjs|next|invoke|matched|now|vercel|prerender|action|mw)-.*|next-(?:action|resume|test)(?:-.*)?)$/;

/**
 * Maximum length of headers, in characters: longer than any legitimate value. Everything behind,
 * including libraries, reads no more than this. Cookies are unlimited: other sites' may precede
 * ours.
 */
const LONGEST = new Map([
  ["accept", 500],
  ["accept-encoding", 200],
  ["accept-language", 500],
  ["authorization", 4_000],
  ["content-type", 200],
  ["idempotency-key", 500],
  ["if-modified-since", 100],
  ["if-none-match", 1_000],
  ["next-router-prefetch", 10],
  ["next-router-segment-prefetch", 1_000],
  ["next-url", 2_000],
  ["origin", 500],
  ["range", 100],
  ["referer", 2_000],
  ["rsc", 10],
  ["sec-fetch-dest", 50],
  ["sec-fetch-mode", 50],
  ["sec-fetch-site", 50],
  ["user-agent", 1_000],
]);
/** Proxies append at the end of these. */
const LONGEST_FORWARDED = 1_000;

/** Headers that reveal a proxy. */
const FORWARDING = [
  "x-forwarded-for",
  "forwarded",
  "x-real-ip",
  "x-forwarded-host",
  "x-forwarded-proto",
];

/**
 * The name of a client, by which every limit counts: an IPv4 address, including one mapped into
 * IPv6; an IPv6 address by its /64, because one household or server controls all of those; `::1` as
 * it is.
 * @param {string} text an address from a socket or a proxy: also `ip:port`, `[ipv6]:port`,
 *   `ipv6%zone`
 * @returns {string | null} null for an invalid address
 */
export function addressName(text) {
  const [bare = ""] = text
    .trim()
    .replace(/^"(.*)"$/, "$1")
    .replace(/^\[([^\]]*)\](?::\d+)?$/, "$1")
    .replace(/^([\d.]+):\d+$/, "$1")
    .split("%", 1);
  const version = isIP(bare);
  if (version === 0) return null;
  if (version === 4) return bare;
  const groups = groupsOf(bare);
  const [high = 0, low = 0] = groups.slice(6);
  if (groups.slice(0, 5).every((group) => group === 0)) {
    if (groups[5] === 0xffff) return [high >> 8, high & 255, low >> 8, low & 255].join(".");
    if (groups[5] === 0 && high === 0 && low === 1) return "::1";
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`;
}

/**
 * The network of a client, which one customer of a provider or a hosting company often commands whole: the /24 of an
 * IPv4 address, the /48 of an IPv6 one.
 * @param {string} name see `addressName`
 * @returns {string} `name` itself where it is neither, such as `::1` or `unknown`
 */
export function networkName(name) {
  if (isIPv4(name)) return `${name.slice(0, name.lastIndexOf("."))}.0/24`;
  if (!name.endsWith("::/64")) return name;
  return `${name.split(":").slice(0, 3).join(":")}::/48`;
}

/**
 * The eight groups of an IPv6 address.
 * @param {string} address
 */
function groupsOf(address) {
  const [head = "", tail] = address.split("::").map(withoutDots);
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array(Math.max(0, zeros)).fill("0"), ...after].map((group) =>
    Number.parseInt(group, 16),
  );
}

/**
 * `::ffff:192.0.2.7` as `::ffff:c000:207`.
 * @param {string} part
 */
function withoutDots(part) {
  const at = part.lastIndexOf(":") + 1;
  const last = part.slice(at);
  if (!isIPv4(last)) return part;
  const [a = 0, b = 0, c = 0, d = 0] = last.split(".").map(Number);
  return `${part.slice(0, at)}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}

/**
 * The name of the client: the socket's, or with `proxies` trusted proxies in front, that of the
 * entry that the outermost of them appended to `X-Forwarded-For`.
 * @param {string | undefined} socketAddress address of the TCP peer
 * @param {string | string[] | undefined} forwardedFor the raw `X-Forwarded-For` header
 * @param {number} proxies number of trusted proxies in front (`TRUST_PROXY`)
 * @returns {string} see `addressName`; `unknown` when the socket is gone already
 */
export function clientAddress(socketAddress, forwardedFor, proxies) {
  const socket = addressName(socketAddress ?? "") ?? "unknown";
  if (proxies === 0 || forwardedFor === undefined) return socket;
  const hops = String(forwardedFor)
    .slice(-LONGEST_FORWARDED)
    .split(",")
    .filter((hop) => hop.trim() !== "");
  // Fewer entries than proxies: the request did not pass all of them; use the farthest one seen.
  const hop = hops[Math.max(0, hops.length - proxies)];
  return (hop === undefined ? null : addressName(hop)) ?? socket;
}

/**
 * Rewrites the request's headers so that everything behind the server may trust them:
 * `x-plumbline-client-address` (see `clientAddress`), `x-plumbline-origin` (scheme, host and port
 * under which the request came) and `x-plumbline-forwarded`, which is set when a proxy
 * forwarded it, whatever it says of the client. Headers are truncated to the length that we read.
 * @param {import("node:http").IncomingMessage} request with a `Host` that was admitted
 * @param {number} proxies see `clientAddress`
 * @param {string | null} proxiedHost see `proxiedHostOf`
 * @returns {{ address: string, proxyFault: "unasked" | "unnamed" | null }} `unasked`: forwarded, but no proxy is trusted;
 *   `unnamed`: forwarded by trusted proxies that don't say for whom
 */
export function trueHeaders(request, proxies, proxiedHost = null) {
  const { headers, socket } = request;
  const forwardedFor = proxies === 0 ? undefined : headers["x-forwarded-for"];
  const address =
    forwardedFor === undefined
      ? socketName(socket)
      : clientAddress(socket.remoteAddress, forwardedFor, proxies);
  const isForwarded =
    FORWARDING.some((name) => headers[name] !== undefined) || isHost(headers.host, proxiedHost);
  const scheme = proxies > 0 ? lastOf(headers["x-forwarded-proto"]) : "http";
  for (const name in headers) {
    const value = headers[name];
    if (isReserved(name)) delete headers[name];
    else if (value !== undefined && value.length > (LONGEST.get(name) ?? Infinity))
      headers[name] = value.slice(0, LONGEST.get(name));
  }
  headers["x-forwarded-for"] = address;
  headers["x-plumbline-client-address"] = address;
  headers["x-plumbline-origin"] =
    `${scheme === "https" ? "https" : "http"}://${headers.host ?? ""}`;
  if (isForwarded) headers["x-plumbline-forwarded"] = "1";
  const fault = proxies === 0 ? "unasked" : forwardedFor === undefined ? "unnamed" : null;
  return { address, proxyFault: isForwarded ? fault : null };
}

/**
 * The host under which only a proxy can request us, whatever headers it sets: that of a public https origin, because we
 * speak http only.
 * @param {string} appUrl our public origin
 * @returns {string | null} null: there is none
 */
export function proxiedHostOf(appUrl) {
  const { protocol, hostname } = new URL(appUrl);
  const isLoopback = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  return protocol === "https:" && !isLoopback ? hostname : null;
}

/**
 * @param {string | undefined} given with or without a port
 * @param {string | null} host in lower case
 */
function isHost(given, host) {
  return host !== null && given?.replace(/:\d{1,5}$/, "").toLowerCase() === host;
}

/** @type {WeakMap<import("node:net").Socket, string>} */
const names = new WeakMap();

/**
 * Cached, because a socket carries many requests from one address.
 * @param {import("node:net").Socket} socket
 */
function socketName(socket) {
  const known = names.get(socket);
  if (known !== undefined) return known;
  const name = clientAddress(socket.remoteAddress, undefined, 0);
  names.set(socket, name);
  return name;
}

/** @param {string} name */
function isReserved(name) {
  // A fast check of the first letter, because this runs for each header of each request.
  return "xfnc".includes(name[0] ?? "") && (OURS.test(name) || NEXTS.test(name));
}

/** @param {string | string[] | undefined} header */
function lastOf(header) {
  return String(header ?? "")
    .slice(-LONGEST_FORWARDED)
    .split(",")
    .at(-1)
    ?.trim()
    .toLowerCase();
}
