/**
 * The name of a request's client, as the front tells it (see `addressName`): a client's own header never
 * arrives. One that nobody told is `unknown`, which has limits of its own: it is nobody else's.
 */
export function clientAddress(headers: Pick<Headers, "get">): string {
  return headers.get("x-plumbline-client-address") ?? "unknown";
}

/**
 * The origin under which a request reached us, such as `http://192.168.1.5:3000`: the front says it of a host
 * that it has admitted, and lets no client say it. `Host` itself is what a client makes of it, or what a foreign
 * name that leads to our address makes a browser send.
 * @returns null when the front said nothing, or nothing that is an origin
 */
export function reachedOrigin(headers: Pick<Headers, "get">): string | null {
  const said = headers.get("x-plumbline-origin") ?? "";
  if (!URL.canParse(said)) return null;
  const { origin, protocol } = new URL(said);
  return /^https?:$/.test(protocol) ? origin : null;
}
