import { confidence } from "@/lib/domain/confidence";
import { answerCache } from "@/lib/server/cache/answer-cache";
import { AHEAD_MS, ANSWER_MS, noteRead } from "@/lib/server/cache/read-ahead";
import type { Snapshots } from "@/lib/server/collector/snapshots";
import type { HistoryRuntime } from "@/lib/server/store/history/open-record";

export type AnswerRuntime = HistoryRuntime & { snapshots: Pick<Snapshots, "get" | "ageMs"> };

/**
 * Cached answers about whole companies, each for up to `ANSWER_MS`, and until snapshots stop or resume. The next
 * answers of what is read are computed before they are asked for (`createReadAhead`).
 * @param name unique in the process
 * @param most see `answerCache`
 * @param mostOfEach see `answerCache`
 * @returns a function; `make` gets whether no request waits for the answer, which has row budgets of its own then, and
 * the previous answer, null if there is none
 */
export function companyAnswers<T>(name: string, most: number, mostOfEach: number) {
  const cached = answerCache<T>(name, most, mostOfEach);
  return function answerOf(
    runtime: AnswerRuntime,
    company: string,
    key: string,
    make: (isAhead: boolean, before: T | null) => Promise<T>,
  ): Promise<T> {
    const { database, clock } = runtime;
    noteRead(database, JSON.stringify([name, company, key]), {
      readMs: clock.nowMs(),
      refresh: () =>
        cached.ahead(database, company, key, answerVersion(runtime, company, AHEAD_MS), (before) =>
          make(true, before),
        ),
    });
    return cached(database, company, key, answerVersion(runtime, company), (before) =>
      make(false, before),
    );
  };
}

function answerVersion({ snapshots, clock }: AnswerRuntime, company: string, inMs = 0): string {
  const rhythmSeconds = snapshots.get(company)?.state.rhythmSeconds ?? 0;
  const ageMs = snapshots.ageMs(company);
  const isLive = ageMs !== null && confidence(-ageMs, 0, rhythmSeconds) === "live";
  return `${Math.floor((clock.nowMs() + inMs) / ANSWER_MS)} ${ageMs === null} ${isLive}`;
}
