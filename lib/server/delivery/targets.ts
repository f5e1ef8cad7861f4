import type { Clock } from "@/lib/server/clock";
import {
  createDialGuard,
  TargetRefused,
  type AddressRange,
  type Resolve,
} from "@/lib/server/upstream/dial/allowed-targets";
import type { Http, HttpFailure } from "@/lib/server/upstream/http";
import { createPlainSend } from "@/lib/server/upstream/plain-send";
import {
  httpUrl,
  openPlainSocket,
  type Socket,
  type SocketLimits,
  type SocketListener,
} from "@/lib/server/upstream/dial/plain-socket";
import type { Proxies } from "@/lib/server/upstream/proxy";

/** From the call to the last byte. */
export const TARGET_LIMITS = { wholeMs: 5_000, bodyBytes: 64 * 1024 };

/**
 * Sends to user-supplied addresses: over TLS, or without to allowed ones; to public addresses, or to allowed
 * ones; without following redirects. Addresses are checked when a name is resolved for connecting, so a later
 * change of the name has no effect. With a proxy, the proxy resolves names.
 * @param options.resolve replaces the resolver in tests
 */
export function createTargetSend({
  allowed,
  resolve,
  limits = TARGET_LIMITS,
  ...options
}: {
  allowed: readonly AddressRange[];
  clock: Clock;
  proxies: Proxies;
  signal?: AbortSignal;
  resolve?: Resolve;
  limits?: typeof TARGET_LIMITS;
}): Http["send"] {
  const guard = createDialGuard(allowed, resolve);
  const sendTo = (isSecure: boolean) =>
    createPlainSend({ ...options, limits, lookup: guard.lookup(isSecure) });
  const [secure, plain] = [sendTo(true), sendTo(false)];

  return async (request) => {
    if (guard.refuses(request.url)) return refused();
    return (request.url.protocol === "https:" ? secure : plain)(request);
  };
}

/** Opens a WebSocket; null: nothing may be sent to the address. */
export type OpenTargetSocket = (url: URL, listener: SocketListener) => Socket | null;

/** WebSockets, to the addresses that `createTargetSend` sends to. */
export function createTargetSocket({
  allowed,
  resolve,
  proxies,
  limits,
}: {
  allowed: readonly AddressRange[];
  proxies: Proxies;
  resolve?: Resolve;
  limits: SocketLimits;
}): OpenTargetSocket {
  const guard = createDialGuard(allowed, resolve);
  return (url, listener) => {
    const asHttp = httpUrl(url);
    if (guard.refuses(asHttp)) return null;
    const lookup = guard.lookup(asHttp.protocol === "https:");
    return openPlainSocket(url, listener, { limits, proxies, lookup });
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
