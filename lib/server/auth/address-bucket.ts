import { isIPv6 } from "node:net";

/**
 * The true address of a request's client, as `server.mjs` tells it: a client's own header never arrives. One that
 * nobody told is `unknown`, which has limits of its own: it is nobody else's.
 */
export function clientAddress(headers: Pick<Headers, "get">): string {
  return headers.get("x-plumbline-client-address") ?? "unknown";
}

/**
 * The name under which the limits against guessing know a client: an IPv4 address as it is, an IPv6
 * address by its /64, because one household or server commands all of those.
 * @param address as `server.mjs` gives it; anything that is no address is its own bucket
 */
export function addressBucket(address: string): string {
  const bare = address.split("%")[0] ?? "";
  if (!isIPv6(bare)) return bare.slice(0, 45);
  const [head = "", tail] = bare.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array<string>(zeros).fill("0"), ...after];
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(":")}::/64`;
}
