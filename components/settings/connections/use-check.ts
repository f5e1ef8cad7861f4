import { useEffect, useRef, useState } from "react";
import { ApiError } from "@/lib/client/api";
import { checkSteps } from "@/lib/client/queries/connections/check-steps";
import { useServerClock } from "@/lib/client/use-now";
import type { CheckStep } from "@/lib/contracts/connections";
import { refusedFor, type Refused } from "@/components/session/refused";
import { checkRequestOf, type ConnectDraft } from "./connect-draft";
import { notChecked } from "./connect-words";

/** Progress or result of a check. Instants are epoch milliseconds on the server's clock. */
export type Check =
  | { state: "none" }
  | { state: "running"; steps: readonly CheckStep[]; stepSinceMs: number }
  | { state: "stopped"; steps: readonly CheckStep[] }
  | { state: "done"; steps: readonly CheckStep[]; atMs: number; of: ConnectDraft };

/**
 * Checks an API step by step.
 * @returns `run` resolves to why it failed, or null; `show`: steps of a check that the server made itself
 */
export function useCheck() {
  const clock = useServerClock();
  const [check, setCheck] = useState<Check>({ state: "none" });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  const run = async (draft: ConnectDraft): Promise<Refused | null> => {
    const abort = new AbortController();
    running.current = abort;
    const steps: CheckStep[] = [];
    setCheck({ state: "running", steps: [], stepSinceMs: clock.nowMs() });
    try {
      await checkSteps(
        checkRequestOf(draft),
        (step) => {
          if (abort.signal.aborted) return;
          steps.push(step);
          setCheck({ state: "running", steps: [...steps], stepSinceMs: clock.nowMs() });
        },
        abort.signal,
      );
      if (!abort.signal.aborted) setCheck({ state: "done", steps, atMs: clock.nowMs(), of: draft });
      return null;
    } catch (error) {
      if (abort.signal.aborted) return null;
      setCheck(steps.length === 0 ? { state: "none" } : { state: "stopped", steps: [...steps] });
      return refusedFor(error, problemOf);
    }
  };
  const stop = () => {
    running.current?.abort();
    setCheck((before) =>
      before.state === "running" ? { state: "stopped", steps: before.steps } : before,
    );
  };

  return {
    check,
    run,
    stop,
    show: (steps: readonly CheckStep[], of: ConnectDraft) =>
      setCheck({ state: "done", steps, atMs: clock.nowMs(), of }),
  };
}

function problemOf(error: unknown): string {
  return error instanceof ApiError
    ? notChecked(error.status, error.retryAfterSeconds, error.description)
    : notChecked(0, null, null);
}
