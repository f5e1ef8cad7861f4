import { lookup as systemLookup } from "node:dns";
import type { LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";

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
 * Whether an address that people entered may be connected to: public ones over TLS; any others, and without TLS, only if
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

/** What names of this machine stand for, whether or not a resolver knows them. */
const LOOPBACK = ["127.0.0.1", "::1"];

/** Whether a host is `localhost` or below it. @param host in lower case, as in a URL */
const isLocal = (host: string) => /(?:^|\.)localhost\.?$/.test(host);

/** Resolves names, like that of `node:dns`. */
export type Resolve = typeof systemLookup;

/** Restricts connections to allowed addresses. */
export type DialGuard = {
  /**
   * Whether a URL can't be requested whatever a resolver says: by its scheme, as a literal address, or as a name of this
   * machine.
   */
  refuses(url: URL): boolean;
  /**
   * Resolves names for connecting, and leaves out addresses that aren't allowed: a later change of the name has no
   * effect on what was checked. Fails with `TargetRefused` if none is left.
   */
  lookup(isSecure: boolean): LookupFunction;
};

/** @param resolve replaces the resolver in tests */
export function createDialGuard(
  allowed: readonly AddressRange[],
  resolve: Resolve = systemLookup,
): DialGuard {
  return {
    refuses({ protocol, hostname }) {
      const isSecure = protocol === "https:";
      const host = hostname.replace(/^\[|\]$/g, "");
      if (!isSecure && protocol !== "http:") return true;
      const known = ipaddr.isValid(host) ? [host] : isLocal(host) ? LOOPBACK : null;
      return known !== null && !known.some((address) => mayReach(address, isSecure, allowed));
    },
    lookup: (isSecure) => guarded(resolve, isSecure, allowed),
  };
}

/**
 * Whether a URL can't be requested as its name resolves now. A name that doesn't resolve counts as reachable over https:
 * it may later.
 */
export function isOutOfReach(guard: DialGuard, url: URL): Promise<boolean> {
  if (guard.refuses(url)) return Promise.resolve(true);
  const isSecure = url.protocol === "https:";
  if (ipaddr.isValid(url.hostname.replace(/^\[|\]$/g, ""))) return Promise.resolve(false);
  return new Promise((resolve) =>
    guard.lookup(isSecure)(url.hostname, {}, (error) =>
      resolve(error instanceof TargetRefused || (error !== null && !isSecure)),
    ),
  );
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
