/** Headers that only we may set: whatever a client sends under these names is dropped. */
const OURS =
  /^(x-forwarded-.*|forwarded|x-real-ip|x-plumbline-.*|x-nonce|content-security-policy)$/;

/**
 * The address of the client that we believe: the socket's, or with `proxies` trusted proxies in
 * front, the entry that the outermost of them appended to `X-Forwarded-For`.
 * @param {string | undefined} socketAddress address of the TCP peer
 * @param {string | string[] | undefined} forwardedFor the `X-Forwarded-For` header as it came
 * @param {number} proxies how many proxies in front are believed (`TRUST_PROXY`)
 * @returns {string} an address; `unknown` when the socket is gone already
 */
export function clientAddress(socketAddress, forwardedFor, proxies) {
  const socket = plain(socketAddress ?? "unknown");
  if (proxies === 0 || forwardedFor === undefined) return socket;
  const hops = String(forwardedFor)
    .split(",")
    .map((hop) => plain(hop.trim()))
    .filter((hop) => hop !== "");
  // Fewer entries than proxies: the request did not pass all of them; believe the farthest one seen.
  return hops[Math.max(0, hops.length - proxies)] ?? socket;
}

/**
 * Rewrites the request's headers so that everything behind the server may trust them.
 * @param {import("node:http").IncomingMessage} request
 * @param {number} proxies see `clientAddress`
 * @returns {string} the client's address, also in `x-plumbline-client-address`
 */
export function trueHeaders(request, proxies) {
  const { headers } = request;
  const address = clientAddress(request.socket.remoteAddress, headers["x-forwarded-for"], proxies);
  for (const name of Object.keys(headers)) if (OURS.test(name)) delete headers[name];
  headers["x-forwarded-for"] = address;
  headers["x-plumbline-client-address"] = address;
  return address;
}

/**
 * IPv4 addresses that come mapped into IPv6 are written as IPv4, so that one client has one name.
 * @param {string} address
 */
function plain(address) {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}
