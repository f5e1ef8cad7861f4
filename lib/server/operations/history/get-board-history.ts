import { companyAnswers, type AnswerRuntime } from "./answer-version";
import type { BoardHistory } from "@/lib/contracts/history";
import { isoOrNull } from "@/lib/domain/time/instant";
import { callInstants, observedValues, outcomeSlots } from "@/lib/domain/history";
import { respondWithReadyJson, readyJson, type ReadyJson } from "@/lib/server/http/ready-json";
import type { PlainResponse } from "@/lib/server/http/handler-response";
import {
  readAbsences,
  readRecordedEndpoints,
  type RecordedEndpoint,
} from "@/lib/server/store/history/recorded-endpoints";
import { readCallsAt } from "@/lib/server/store/history/recorded-calls";
import { readVerdictsSince } from "@/lib/server/store/history/recorded-verdicts";
import { readRunSlots } from "@/lib/server/store/history/recorded-runs";
import {
  absencesOf,
  unobservedOf,
  type HistoryRuntime,
} from "@/lib/server/store/history/open-record";
import { boundRows, rowBudget } from "@/lib/server/store/most-rows";
import { axisView, openRange } from "./recorded-range";
import { choice } from "@/lib/server/http/query";
import { mapSteps } from "@/lib/domain/steps";
import { longJson } from "@/lib/server/http/long-json";
import { inSlices } from "@/lib/server/slices";
import { HOUR_MS } from "@/lib/domain/time/units";

const COMPANIES_KEPT = 200;

const cached = companyAnswers<ReadyJson>("board history", COMPANIES_KEPT, 1);

/**
 * Answers `GET /api/companies/[company]/history?range=24h`: `BoardHistory`, or 304.
 *
 * Read and serialized at most every two minutes, for all clients. While the database is unavailable, the previous
 * response is sent again; it contains the end of its period.
 * @throws Failure `invalid_request`, also when it takes more rows than a request may read
 */
export async function getBoardHistory(
  runtime: AnswerRuntime,
  given: { company: string; query: URLSearchParams; ifNoneMatch: string | null },
  budget = rowBudget(),
): Promise<PlainResponse> {
  const { company, query, ifNoneMatch } = given;
  choice(query, "range", ["24h"]);
  const ready = await cached(runtime, company, "24h", async (isAhead) => {
    const bound = boundRows(runtime, isAhead ? rowBudget() : budget);
    const history = await boardHistory(bound, company);
    return readyJson(await inSlices(longJson(history, "endpoints")), "private, no-store");
  });
  return respondWithReadyJson(ready, ifNoneMatch);
}

async function boardHistory(runtime: HistoryRuntime, company: string): Promise<BoardHistory> {
  const { database } = runtime;
  const recorded = await openRange(runtime, company, "24h");
  const { axis } = recorded;
  const endpoints = await readRecordedEndpoints(database, company, { isShown: true });
  const ids = endpoints.map(({ id }) => id);
  const instantsMs = callInstants(axis, HOUR_MS, recorded.nowMs);
  const rhythmMs = recorded.rhythmSeconds * 1000;
  const [runs, absences, calls, since] = await Promise.all([
    readRunSlots(database, company, ids, axis),
    readAbsences(database, company, ids, axis),
    readCallsAt(database, company, ids, instantsMs, rhythmMs),
    readVerdictsSince(database, company, ids),
  ]);
  const historyOf = (endpoint: RecordedEndpoint): BoardHistory["endpoints"][number] => {
    const { id } = endpoint;
    const unobserved = unobservedOf(recorded, absencesOf(recorded, endpoint, absences.get(id)));
    const known = runs.get(id);
    return {
      id,
      slots: outcomeSlots(axis, known?.slots ?? [], unobserved),
      runs: known?.runs ?? 0,
      not_completed: known?.notCompleted ?? 0,
      verdict: endpoint.verdict,
      verdict_since: isoOrNull(since.get(id) ?? null),
      calls: observedValues(instantsMs, calls.get(id) ?? [], unobserved),
    };
  };
  return {
    ...axisView(recorded),
    endpoints: await inSlices(mapSteps(endpoints, historyOf)),
  };
}
