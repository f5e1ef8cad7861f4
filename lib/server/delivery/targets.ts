import { lookup as systemLookup } from "node:dns";
import type { LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import type { Clock } from "@/lib/server/clock";
import type { Http, HttpFailure } from "@/lib/server/upstream/http";
import { createPlainSend } from "@/lib/server/upstream/plain-send";
import type { Proxies } from "@/lib/server/upstream/proxy";

/** From the call to the last byte. */
export const TARGET_LIMITS = { wholeMs: 5_000, bodyBytes: 64 * 1024 };

/** A range of addresses from `ALLOWED_TARGETS`. */
export type AddressRange = { range: ipaddr.IPv4 | ipaddr.IPv6; bits: number };

/** The destination's address isn't allowed. */
export class TargetRefused extends Error {
  override readonly name = "TargetRefused";
}

/** @returns null unless it is a range such as 10.0.0.0/8 or fd00::/8 */
export function addressRange(text: string): AddressRange | null {
  try {
    const [range, bits] = ipaddr.parseCIDR(text);
    return { range, bits };
  } catch {
    return null;
  }
}

/**
 * Whether messages may be sent to an address: public ones over TLS; any others, and without TLS, only if
 * allowed. An IPv4-mapped IPv6 address counts as the IPv4 address.
 * @param address as returned by a resolver or a URL, without brackets
 */
export function mayReach(
  address: string,
  isSecure: boolean,
  allowed: readonly AddressRange[],
): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  const isAllowed = allowed.some(
    ({ range, bits }) => range.kind() === parsed.kind() && parsed.match(range, bits),
  );
  return isAllowed || (isSecure && isPublic(parsed));
}

/** Only global unicast IPv6: other addresses may embed others, or are unassigned. */
const GLOBAL = ipaddr.IPv6.parseCIDR("2000::/3");

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const isGlobal = address instanceof ipaddr.IPv4 || address.match(GLOBAL);
  return isGlobal && address.range() === "unicast";
}

/**
 * Sends to user-supplied addresses: over TLS, or without to allowed ones; to public addresses, or to allowed
 * ones; without following redirects. Addresses are checked when a name is resolved for connecting, so a later
 * change of the name has no effect. With a proxy, the proxy resolves names.
 * @param options.resolve replaces the resolver in tests
 */
export function createTargetSend({
  allowed,
  resolve = systemLookup,
  limits = TARGET_LIMITS,
  ...options
}: {
  allowed: readonly AddressRange[];
  clock: Clock;
  proxies: Proxies;
  signal?: AbortSignal;
  resolve?: typeof systemLookup;
  limits?: typeof TARGET_LIMITS;
}): Http["send"] {
  const sendTo = (isSecure: boolean) =>
    createPlainSend({ ...options, limits, lookup: guarded(resolve, isSecure, allowed) });
  const [secure, plain] = [sendTo(true), sendTo(false)];

  return async (request) => {
    const { protocol, hostname } = request.url;
    const isSecure = protocol === "https:";
    const host = hostname.replace(/^\[|\]$/g, "");
    const isLiteral = ipaddr.isValid(host);
    if ((!isSecure && protocol !== "http:") || (isLiteral && !mayReach(host, isSecure, allowed)))
      return refused();
    return (isSecure ? secure : plain)(request);
  };
}

function refused(): HttpFailure {
  const cause = new TargetRefused("messages can't go to this address");
  return { failed: "not_allowed", status: null, maybeReceived: false, cause };
}

/** Whether a failure is due to an address that isn't allowed. */
export function isRefused({ cause }: HttpFailure): boolean {
  return cause instanceof TargetRefused;
}

function guarded(
  resolve: typeof systemLookup,
  isSecure: boolean,
  allowed: readonly AddressRange[],
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        callback(error, "");
        return;
      }
      const reachable = addresses.filter(({ address }) => mayReach(address, isSecure, allowed));
      const [first] = reachable;
      if (first === undefined)
        callback(new TargetRefused("none of the name's addresses can be reached"), "");
      else if (options.all === true) callback(null, reachable);
      else callback(null, first.address, first.family);
    });
  };
}
