import { Broken, type Scene } from "../simulation";

const MINUTE_MS = 60_000;
const MAX_PER_MINUTE = { api: 60, token: 10 } as const;

/** I2: a host receives at most 60 requests and 10 token requests within any minute. */
export function createUpstreamBudgetCheck() {
  const recent = new Map<string, number[]>();
  let checked = 0;
  return ({ api }: Scene): void => {
    for (; checked < api.seen.length; checked += 1) {
      const one = api.seen[checked];
      if (one === undefined) return;
      const kind = one.path === "/oauth/token" ? "token" : "api";
      const key = `${one.host} ${kind}`;
      const arrivals = [...(recent.get(key) ?? []), one.atMs].filter(
        (ms) => ms > one.atMs - MINUTE_MS,
      );
      recent.set(key, arrivals);
      if (arrivals.length > MAX_PER_MINUTE[kind])
        throw new Broken(
          "upstream budget",
          `${arrivals.length} ${kind} requests in a minute at ${one.host}`,
        );
    }
  };
}
