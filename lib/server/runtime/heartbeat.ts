import { confidence } from "@/lib/domain/confidence";
import type { Log } from "@/lib/server/log";
import type { Recording } from "@/lib/server/recording";
import type { Http } from "@/lib/server/upstream/http";

/** From the call to the last byte. */
export const HEARTBEAT_LIMITS = { wholeMs: 5_000, bodyBytes: 64 * 1024 };

/**
 * Sends heartbeats to an external monitor, which raises an alarm when they stop. A heartbeat requests `url`, or
 * `url/fail` while any company is blind, or when nothing is recorded and so no incident can open. Never
 * rejects; logs when heartbeats stop arriving and when they arrive again, without the URL, which is as secret
 * as a password.
 * @param options.snapshots of the connected companies; `ageMs`: null before the first snapshot
 * @param options.send follows no redirects; see `createPlainSend`
 */
export function createHeartbeat({
  url,
  snapshots,
  recording,
  send,
  log,
}: {
  url: string;
  snapshots: () => readonly { ageMs: number | null; rhythmSeconds: number }[];
  recording: Pick<Recording, "stopped">;
  send: Http["send"];
  log: Log;
}): () => Promise<void> {
  const failUrl = new URL(url);
  failUrl.pathname = `${failUrl.pathname.replace(/\/$/, "")}/fail`;
  let arrives = true;

  return async function beat() {
    const isSeen = snapshots().every(
      ({ ageMs, rhythmSeconds }) =>
        confidence(ageMs === null ? null : -ageMs, 0, rhythmSeconds) !== "blind",
    );
    const isWell = isSeen && recording.stopped() === null;
    const answer = await send({ method: "GET", url: isWell ? new URL(url) : failUrl, headers: {} });
    const why =
      "failed" in answer
        ? answer.failed
        : answer.status >= 200 && answer.status < 300
          ? null
          : `status ${answer.status}`;
    if (why !== null && arrives) {
      log.warn({ event: "heartbeat_lost", why }, "HEARTBEAT_URL doesn't accept our heartbeat");
    } else if (why === null && !arrives) {
      log.info({ event: "heartbeat_again" }, "HEARTBEAT_URL accepts our heartbeat again");
    }
    arrives = why === null;
  };
}
