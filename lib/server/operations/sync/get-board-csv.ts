import type { BoardThenView } from "@/lib/contracts/history";
import { judge, momentOf } from "@/lib/domain/judge";
import { isProblem } from "@/lib/domain/order";
import { VERDICTS, type Confidence, type Verdict } from "@/lib/domain/sync";
import { foldText, includesAll, needlesOf } from "@/lib/domain/text/fold-text";
import type { Person } from "@/lib/server/auth/person";
import type { StreamedResponse } from "@/lib/server/http/handler-response";
import { csv, csvFile } from "@/lib/server/http/csv";
import { choice, flag, search } from "@/lib/server/http/query";
import { externalIdOf } from "@/lib/server/operations/connections/external-id";
import { boardPartsAt } from "@/lib/server/operations/history/get-board-at";
import { listIncidents } from "@/lib/server/operations/incidents/list-incidents";
import { batches } from "@/lib/server/store/batches";
import { rowBudget } from "@/lib/server/store/most-rows";
import { syncStatusView } from "./get-sync-status";

type Runtime = Parameters<typeof syncStatusView>[0] &
  Parameters<typeof boardPartsAt>[0] &
  Omit<Parameters<typeof listIncidents>[0], "connections"> & {
    readonly connections: readonly { company: string; name: string; externalId?: string }[];
  };

const HEAD = [
  "company",
  "external_id",
  "partner_name",
  "endpoint_id",
  "endpoint_key",
  "verdict",
  "as_of",
  "confidence",
  "last_updated_at",
  "next_sync_at",
  "last_sync_status",
  "last_sync_started_at",
  "last_sync_finished_at",
  "last_sync_duration_seconds",
  "frequency_minutes",
  "api_calls_last_24h",
  "promise",
];

/** An endpoint as a line has it; null: not known. */
type Line = {
  id: string;
  partner: string;
  key: string;
  verdict: Verdict | null;
  lastUpdatedAt: string | null;
  nextSyncAt: string | null;
  lastRun: {
    status: string | null;
    startedAt: string | null;
    finishedAt: string | null;
    seconds: number | null;
  };
  frequencyMinutes: number | null;
  calls: number | null;
  promise: string | null;
};
type Lines = {
  asOf: string | null;
  confidence: Confidence;
  /** Each is made when it is asked for. */
  parts: AsyncGenerator<readonly Line[], void, void>;
};

/** Endpoints that are read, and written, at once. */
const AT_ONCE = 500;

type Given = { person: Person; company: string; query: URLSearchParams };

/**
 * The endpoints of a company as CSV, with the query of its page:
 * `GET .../sync-status/csv?q&verdict&unattended&at`. Each line says when it was true and how far it can be trusted:
 * while we can't see the company, as of the last check.
 * @throws Failure `invalid_request`
 */
export async function getBoardCsv(runtime: Runtime, given: Given): Promise<StreamedResponse> {
  const { company, query } = given;
  const needles = needlesOf(search(query, "q") ?? "");
  const verdict = choice(query, "verdict", [...VERDICTS, "attention"]);
  const attended = flag(query, "unattended") ? await attendedIds(runtime, given) : null;
  const { asOf, confidence, parts } = query.has("at")
    ? await linesAt(runtime, given)
    : linesNow(runtime, company);
  // Read before the response starts, so that a refusal is one.
  const first = await parts.next();
  const isShown = (line: Line) => {
    const text = foldText(`${line.partner} ${line.key}`);
    const isTrouble = line.verdict !== null && isProblem(line.verdict);
    return (
      includesAll(text, needles) &&
      (verdict === null || line.verdict === verdict || (verdict === "attention" && isTrouble)) &&
      (attended === null || (isTrouble && !attended.has(line.id)))
    );
  };
  const externalId = externalIdOf(runtime.connections, company);
  const cellsOf = (line: Line) => [
    company,
    externalId,
    line.partner,
    line.id,
    line.key,
    line.verdict,
    asOf,
    confidence,
    line.lastUpdatedAt,
    line.nextSyncAt,
    line.lastRun.status,
    line.lastRun.startedAt,
    line.lastRun.finishedAt,
    line.lastRun.seconds,
    line.frequencyMinutes,
    line.calls,
    line.promise,
  ];
  async function* pieces(): AsyncGenerator<string, void, void> {
    yield csv([HEAD]);
    for (let part = first; part.done !== true; part = await parts.next())
      yield csv(part.value.filter(isShown).map(cellsOf));
  }
  return csvFile(`sync-status-${company}`, pieces());
}

function linesNow(runtime: Runtime, company: string): Lines {
  const view = syncStatusView(runtime, company);
  const nowMs = runtime.clock.nowMs();
  const moment = momentOf(view, nowMs);
  const lineOf = (row: (typeof view.rows)[number]): Line => ({
    id: row.id,
    partner: row.partner_name,
    key: row.endpoint_key,
    verdict: judge(row, moment).word,
    lastUpdatedAt: row.last_updated_at,
    nextSyncAt: row.next_sync_at,
    lastRun: {
      status: row.last_sync_status,
      startedAt: row.last_sync_started_at,
      finishedAt: row.last_sync_finished_at,
      seconds: row.last_sync_duration_seconds,
    },
    frequencyMinutes: row.frequency_minutes,
    calls: row.api_calls_last_24h,
    promise: row.promise?.state ?? null,
  });
  return {
    asOf: view.as_of,
    confidence: view.source.confidence,
    parts: (async function* parts() {
      for (const rows of batches(view.rows, AT_ONCE)) yield rows.map(lineOf);
    })(),
  };
}

/** Next syncs and API calls of earlier checks aren't recorded for all endpoints. */
async function linesAt(runtime: Runtime, { company, query }: Given): Promise<Lines> {
  const limits = { budget: rowBudget(), most: AT_ONCE };
  const { view, parts } = await boardPartsAt(runtime, { company, query }, limits);
  const lineOf = (then: BoardThenView["endpoints"][number]): Line => ({
    id: then.id,
    partner: then.partner_name,
    key: then.endpoint_key,
    verdict: then.verdict ?? then.last_seen?.verdict ?? null,
    lastUpdatedAt: then.landed_at,
    nextSyncAt: null,
    lastRun: {
      status: then.last_run?.status ?? null,
      startedAt: then.last_run?.started_at ?? null,
      finishedAt: then.last_run?.finished_at ?? null,
      seconds: then.last_run?.duration_seconds ?? null,
    },
    frequencyMinutes: then.frequency_minutes,
    calls: null,
    promise: then.promise?.state ?? null,
  });
  return {
    asOf: view.gap?.from ?? view.at,
    confidence: view.confidence,
    parts: (async function* lines() {
      for await (const part of parts) yield part.map(lineOf);
    })(),
  };
}

/** Members of acknowledged open incidents. */
async function attendedIds(runtime: Runtime, given: Given): Promise<ReadonlySet<string>> {
  const query = new URLSearchParams({ state: "open", per_page: "500" });
  const { data } = await listIncidents(runtime, { ...given, query });
  const acknowledged = data.filter((incident) => incident.acknowledged !== null);
  return new Set(acknowledged.flatMap(({ members }) => members.map(({ endpoint_id: id }) => id)));
}
