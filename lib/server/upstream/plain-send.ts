import type { LookupFunction } from "node:net";
import type { Clock } from "@/lib/server/clock";
import { createHttp, type Http, type HttpLimits } from "./http";
import { proxyFor, type Proxies } from "./proxy";

/**
 * Sends single requests to arbitrary addresses, through the applicable proxy and without the v3 API budget.
 * @param options.signal aborts all requests
 */
export function createPlainSend(options: {
  limits: Pick<HttpLimits, "wholeMs" | "bodyBytes">;
  clock: Clock;
  proxies: Proxies;
  signal?: AbortSignal;
  /** See `createHttp`. */
  lookup?: LookupFunction;
}): Http["send"] {
  const { clock, proxies, signal, lookup } = options;
  const limits: HttpLimits = { connectMs: 2_000, ...options.limits };
  const byProxy = new Map<string, Http>();
  return (request) => {
    const proxy = proxyFor(request.url, proxies);
    const key = proxy?.origin ?? "";
    const http =
      byProxy.get(key) ??
      createHttp(limits, clock, { proxy, ...(signal && { signal }), ...(lookup && { lookup }) });
    byProxy.set(key, http);
    return http.send(request);
  };
}
