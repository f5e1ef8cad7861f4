import type { Clock } from "@/lib/server/clock";
import { createHttp, type Http, type HttpLimits } from "@/lib/server/upstream/http";
import { proxyFor, type Proxies } from "@/lib/server/upstream/proxy";
import { TargetRefused, type DialGuard } from "./allowed-targets";

/**
 * HTTP to one host, through the applicable proxy. With a guard, an address that isn't allowed fails as `down`, with a
 * `TargetRefused` as its cause; every new connection is checked again.
 * @param options.url of the host; its scheme decides what is allowed
 * @param options.onCertificate see `createHttp`
 * @param options.guard null: none, every address is allowed
 */
export function createGuardedHttp(
  limits: HttpLimits,
  clock: Clock,
  {
    url,
    proxies,
    guard,
    signal,
    onCertificate,
  }: {
    url: URL;
    proxies: Proxies;
    guard: DialGuard | null;
    signal?: AbortSignal;
    onCertificate?: (validUntilMs: number) => void;
  },
): Http {
  const http = createHttp(limits, clock, {
    proxy: proxyFor(url, proxies),
    ...(signal && { signal }),
    ...(onCertificate && { onCertificate }),
    ...(guard !== null && { lookup: guard.lookup(url.protocol === "https:") }),
  });
  if (guard === null) return http;
  return {
    async send(request) {
      if (!guard.refuses(request.url)) return http.send(request);
      const cause = new TargetRefused("requests can't go to this address");
      return { failed: "down", status: null, maybeReceived: false, cause };
    },
  };
}
