import type { Http, HttpAnswer, HttpFailure } from "@/lib/server/upstream/http";
import { RECEIVER_FAULTS, type Fault } from "./faults";
import type { Random } from "./random";
import type { SimulatedTime, Watch } from "./time";

/** A message that a receiver took. */
export type Received = {
  /** True time, epoch milliseconds. */
  atMs: number;
  /** The path of its address: one for each destination. */
  to: string;
  /** The message's own id, by which receivers know repetitions. */
  id: string;
  body: string;
};

/** Those who receive messages: signed webhooks at `https://receiver.example.com/<name>`. */
export type Receivers = {
  send(request: Parameters<Http["send"]>[0], watch: Watch): Promise<HttpAnswer | HttpFailure>;
  readonly received: readonly Received[];
};

const DEADLINE_MS = 5_000;

export function createReceivers(given: {
  time: SimulatedTime;
  random: Random;
  faults: readonly Fault[];
}): Receivers {
  const { time, random } = given;
  const received: Received[] = [];
  const faults = given.faults.filter(({ kind }) =>
    (RECEIVER_FAULTS as readonly string[]).includes(kind),
  );
  const active = (kind: Fault["kind"]) =>
    faults.some(
      (one) =>
        one.kind === kind &&
        one.fromMs <= time.nowMs() &&
        time.nowMs() < one.untilMs &&
        (one.share === 1 || random.chance(one.share)),
    );
  return {
    received,
    async send({ url, headers, body = "" }, watch) {
      const sentAtMs = watch.monotonicMs();
      await time.after(random.whole(1, 300));
      const fail = (maybeReceived: boolean): HttpFailure => ({
        failed: "down",
        status: null,
        maybeReceived,
        cause: new Error("simulated: down"),
      });
      if (active("receiver_down")) return fail(false);
      const answer = (status: number): HttpAnswer => ({
        status,
        headers: status === 429 ? { "retry-after": "60" } : {},
        body: Buffer.from("{}"),
        sentAtMs,
        receivedAtMs: watch.monotonicMs(),
      });
      if (active("receiver_limited")) return answer(429);
      if (active("receiver_error")) return answer(500);
      const hangs = active("receiver_hangs");
      if (hangs) await time.after(DEADLINE_MS);
      // It may have been taken all the same.
      if (hangs && random.chance(0.5)) return { ...fail(true), failed: "timeout" };
      received.push({
        atMs: time.nowMs(),
        to: url.pathname,
        id: headers["webhook-id"] ?? "",
        body,
      });
      if (hangs) return { ...fail(true), failed: "timeout" };
      if (active("receiver_lost_answer")) return fail(true);
      await time.after(random.whole(1, 300));
      return answer(200);
    },
  };
}
