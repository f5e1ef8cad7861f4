import { queryOptions } from "@tanstack/react-query";
import { browserTime, type ServerClock } from "@/lib/client/clock";
import { requestWall, type WallResponse } from "@/lib/client/wall/request-wall";
import type { PairingView } from "@/lib/contracts/wall";
import { isRecord } from "@/lib/client/snapshot";

/** A person in front of the screen is waiting for it. */
const EVERY_MS = 3_000;
/** After a failure: less often than a screen may start a pairing, with backoff. */
const FAILED_EVERY_MS = 7_000;
const SLOWEST_MS = 30_000;

/** State of this screen's pairing, and `receivedMs`: when it was received, on the server's clock. */
export type PairingAnswer = { view: PairingView; receivedMs: number };

/**
 * The pairing of this screen, polled until it is paired. An ended one is restarted at once, so that there is always a
 * code to read.
 */
export const pairingQuery = (clock: ServerClock) =>
  queryOptions({
    queryKey: ["pairing"],
    queryFn: async (): Promise<PairingAnswer> => {
      let { value, serverTime } = answered(await requestPairing());
      if (value.state === "ended") ({ value, serverTime } = answered(await requestPairing({})));
      clock.anchor(serverTime);
      return { view: value, receivedMs: clock.nowMs() };
    },
    staleTime: Number.POSITIVE_INFINITY,
    refetchIntervalInBackground: true,
    refetchInterval: ({ state: { data, error, dataUpdatedAt, errorUpdatedAt } }) => {
      if (error === null) return data?.view.state === "paired" ? false : EVERY_MS;
      const silentMs = dataUpdatedAt === 0 ? 0 : errorUpdatedAt - dataUpdatedAt;
      return Math.max(FAILED_EVERY_MS, Math.min(silentMs / 4, SLOWEST_MS));
    },
  });

/** @param body starts a pairing; undefined reads the state of the current one */
function requestPairing(body?: unknown): Promise<WallResponse<PairingView>> {
  const world = {
    fetch: (path: string, init: RequestInit) => fetch(path, init),
    time: browserTime,
  };
  return requestWall(world, "/pair", isPairingView, body);
}

function answered(answer: WallResponse<PairingView>) {
  if (answer.kind !== "ok") throw new Error("no answer about this screen's pairing");
  return answer;
}

function isPairingView(body: unknown): body is PairingView {
  if (!isRecord(body)) return false;
  const { state, code, expires_at: expiresAt } = body;
  if (state !== "waiting") return state === "ended" || state === "paired";
  return typeof code === "string" && typeof expiresAt === "string";
}
