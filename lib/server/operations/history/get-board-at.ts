import type { BoardThenView } from "@/lib/contracts/history";
import type { PlainResponse } from "@/lib/server/http/handler-response";
import { readyJson } from "@/lib/server/http/ready-json";
import { longJson } from "@/lib/server/http/long-json";
import { inSlices } from "@/lib/server/slices";
import { mapSteps } from "@/lib/domain/steps";
import { answerLanes } from "@/lib/server/one-at-a-time";
import { instantMs, isoOrNull } from "@/lib/domain/time/instant";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { batches } from "@/lib/server/store/batches";
import {
  readRecordedEndpoints,
  type RecordedEndpoint,
} from "@/lib/server/store/history/recorded-endpoints";
import { readWeeksAt } from "@/lib/server/store/learned-weeks/learned-weeks";
import { boundRows, rowBudget, type RowBudget } from "@/lib/server/store/most-rows";
import { openPromisesAt } from "./promises-at";
import { openMoment, requestedInstant, type ThenRuntime } from "./open-then";

const inLane = answerLanes<PlainResponse>("boards");

/** Answers `getBoardAt` as JSON, computed once for concurrent requests for the same instant. */
export async function answerBoardAt(
  runtime: ThenRuntime,
  given: { company: string; query: URLSearchParams },
): Promise<PlainResponse> {
  return inLane(
    runtime.database,
    given.company,
    String(requestedInstant(given.query)),
    async () => {
      const board = await getBoardAt(runtime, given);
      const json = await inSlices(longJson(board, "endpoints"));
      return readyJson(json, "private, no-store").whole;
    },
  );
}

/**
 * What viewers saw of a company at an instant: `GET .../sync-status?at`. Omits endpoints that didn't exist, or that the
 * record has no data of at that instant.
 * @throws Failure `invalid_request`, also when it takes more rows than a request may read
 */
export async function getBoardAt(
  runtime: ThenRuntime,
  given: { company: string; query: URLSearchParams },
  budget = rowBudget(),
): Promise<BoardThenView> {
  const { view, parts } = await boardPartsAt(runtime, given, {
    budget,
    most: Number.POSITIVE_INFINITY,
  });
  const endpoints: BoardThenView["endpoints"] = [];
  for await (const part of parts) endpoints.push(...part);
  return { ...view, endpoints };
}

/**
 * The same in parts of the endpoints, each read when it is asked for; what concerns all of them, such as the company's
 * promises, is read before the first.
 * @param limits.most endpoints of a part
 * @throws Failure as `getBoardAt`; parts too
 */
export async function boardPartsAt(
  unbound: ThenRuntime,
  { company, query }: { company: string; query: URLSearchParams },
  { budget, most }: { budget: RowBudget; most: number },
): Promise<{
  view: Omit<BoardThenView, "endpoints">;
  parts: AsyncGenerator<BoardThenView["endpoints"], void, void>;
}> {
  const runtime = boundRows(unbound, budget);
  const atMs = requestedInstant(query);
  const all = await readRecordedEndpoints(runtime.database, company, {});
  const then = await openMoment(runtime, company, all, atMs);
  // Inside a gap viewers saw the last check before it.
  const seenMs = instantMs(then.view.gap?.from ?? null) ?? atMs;
  const promisesOf = await openPromisesAt(runtime.database, company, all, seenMs);
  const weekOf = (await readWeeksAt(runtime.database, [company], seenMs, budget.left + 1))(company);

  async function partOf(some: readonly RecordedEndpoint[]): Promise<BoardThenView["endpoints"]> {
    const endpointAt = await then.read(some);
    const states = await inSlices(
      mapSteps(some, (endpoint) => ({ ...endpoint, at: endpointAt(endpoint) })),
    );
    const promises = await promisesOf(
      states.map(({ id, partnerName, at }) => ({ id, partnerName, landedAt: at.landed_at })),
    );
    return states.flatMap(({ id, partnerName, at }) => {
      const wasThere = at.verdict !== null || at.last_seen !== null;
      return wasThere
        ? [
            {
              ...at,
              partner_name: partnerName,
              promise: promises.get(id) ?? null,
              ...(promises.get(id) === null && { is_promise_unknown: true as const }),
              learned_week: weekOf(id, (at.frequency_minutes ?? Number.NaN) * MINUTE_MS),
            },
          ]
        : [];
    });
  }

  return {
    view: { ...then.view, recorded_from: isoOrNull(then.recordedFromMs) },
    parts: (async function* parts() {
      for (const some of batches(all, most)) yield await partOf(some);
    })(),
  };
}
