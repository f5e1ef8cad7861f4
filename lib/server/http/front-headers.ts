/**
 * The name of a request's client, set by the front (see `addressName`): a client's own header never
 * arrives. Without one it is `unknown`, which has its own limits, shared with no real client.
 */
export function clientAddress(headers: Pick<Headers, "get">): string {
  return headers.get("x-plumbline-client-address") ?? "unknown";
}

/**
 * The origin under which a request reached us, such as `http://192.168.1.5:3000`: set by the front
 * for a host that it has admitted, and never by a client. `Host` itself is set by the client, or by
 * a browser for a foreign name that resolves to our address.
 * @returns null when the front set none, or an invalid one
 */
export function reachedOrigin(headers: Pick<Headers, "get">): string | null {
  const said = headers.get("x-plumbline-origin") ?? "";
  if (!URL.canParse(said)) return null;
  const { origin, protocol } = new URL(said);
  return /^https?:$/.test(protocol) ? origin : null;
}
