import { lookup as systemLookup } from "node:dns";
import type { LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import type { Clock } from "@/lib/server/clock";
import type { Http, HttpFailure } from "@/lib/server/upstream/http";
import { createPlainSend } from "@/lib/server/upstream/plain-send";
import type { Proxies } from "@/lib/server/upstream/proxy";

/** From the call to the last byte. */
export const TARGET_LIMITS = { wholeMs: 5_000, bodyBytes: 64 * 1024 };

/** A range of addresses, as `ALLOWED_TARGETS` names it. */
export type AddressRange = { range: ipaddr.IPv4 | ipaddr.IPv6; bits: number };

/** Why a message isn't sent to where it is to go. */
export class TargetRefused extends Error {
  override readonly name = "TargetRefused";
}

/** @returns null for what is no range such as 10.0.0.0/8 or fd00::/8 */
export function addressRange(text: string): AddressRange | null {
  try {
    const [range, bits] = ipaddr.parseCIDR(text);
    return { range, bits };
  } catch {
    return null;
  }
}

/**
 * Whether messages may go to an address. A public one may be reached over TLS; whatever else, and without TLS, only
 * what is allowed. An IPv4 address in IPv6's form is what it stands for.
 * @param address as a resolver or a URL gives it, without brackets
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

/** Of IPv6 only what is given out as global: outside of it addresses carry others inside, or are nobody's. */
const GLOBAL = ipaddr.IPv6.parseCIDR("2000::/3");

function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const isGlobal = address instanceof ipaddr.IPv4 || address.match(GLOBAL);
  return isGlobal && address.range() === "unicast";
}

/**
 * Sends to addresses that people have typed: over TLS, or without to those that are allowed; to public addresses, or
 * to those that are allowed; without following redirects. A name's addresses are looked at when they are dialled, so
 * what a name says later changes nothing. Where a proxy is to be used the name is the proxy's to find.
 * @param options.resolve another resolver; tests have names of their own
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
  const cause = new TargetRefused("messages may not go to this address");
  return { failed: "not_allowed", status: null, maybeReceived: false, cause };
}

/** Whether a failure is that the address isn't one that messages may go to. */
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
        callback(new TargetRefused("none of the name's addresses may be reached"), "");
      else if (options.all === true) callback(null, reachable);
      else callback(null, first.address, first.family);
    });
  };
}
