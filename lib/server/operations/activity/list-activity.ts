import {
  ACTION_KINDS,
  ActivityFile,
  TEST_TROUBLES,
  type ActivityEntry,
  type ActivityView,
} from "@/lib/contracts/activity";
import { SeenLater } from "@/lib/contracts/deletions";
import { OUTCOMES, type Outcome } from "@/lib/domain/deletion";
import type { Database } from "@/lib/server/store/database";
import {
  countActions,
  readActions,
  readActors,
  readNextLooks,
  searchFor,
  UNFILTERED,
  type ActivityFilters,
  type LoggedAction,
  type LoggedRow,
} from "@/lib/server/store/audit/activity";
import { INSTALLATION } from "@/lib/server/store/audit/installation-log";
import { NO_STORABLE_TIME, storableMs } from "@/lib/server/store/storable";
import type { StreamedResponse } from "@/lib/server/http/handler-response";
import { csv, csvFile } from "@/lib/server/http/csv";
import { pageMeta, readPageRequest, offsetAndLimit } from "@/lib/server/http/paging";
import { choice, invalid, search, text } from "@/lib/server/http/query";
import { externalIdOf, type Connected } from "@/lib/server/operations/connections/external-id";

/** Actions that a download reads per query, which bounds its memory. */
const CSV_AT_ONCE = 1_000;

type Runtime = Connected & { database: Database };
type Given = { company: string; query: URLSearchParams };

/**
 * One page of the activity log: `GET .../activity?page&per_page&q&outcome&person&from&until`.
 * @throws Failure `invalid_request`
 */
export async function listActivity(
  { database }: Pick<Runtime, "database">,
  { company, query }: Given,
): Promise<ActivityView> {
  const place = readPageRequest(query);
  const given = filtersOf(query);
  const people = await readActors(database, company);
  const filters = searched(given, people);
  const { offset, limit } = offsetAndLimit(place);
  const [actions, total, unknownCount] = await Promise.all([
    readActions(database, company, filters, { start: { offset }, limit }),
    countActions(database, company, filters),
    countActions(database, company, { ...UNFILTERED, outcome: "unknown" }),
  ]);
  return {
    data: await entriesOf(database, company, actions),
    meta: pageMeta(place, total),
    unknown_count: unknownCount,
    people,
  };
}

/**
 * Same, for actions that belong to no single company: `GET /api/activity`. @throws Failure
 * `invalid_request`
 */
export function listInstallationActivity(
  runtime: Runtime,
  { query }: Pick<Given, "query">,
): Promise<ActivityView> {
  return listActivity(runtime, { company: INSTALLATION, query });
}

/** `GET /api/activity/csv`; see `listActivityCsv`. */
export function listInstallationActivityCsv(
  runtime: Runtime,
  { query }: Pick<Given, "query">,
): StreamedResponse {
  return listActivityCsv(runtime, { company: INSTALLATION, query });
}

const CSV_HEAD = [
  "asked_at",
  "person",
  "email",
  "action",
  "file_id",
  "file_name",
  "file_type",
  "is_baseline",
  "project",
  "uploaded_at",
  "subject",
  "sent_at",
  "outcome",
  "outcome_at",
  "outcome_by",
  "because",
  "seen_later",
  "seen_later_at",
  "request_id",
  "action_id",
  "external_id",
];

/**
 * Same as CSV, all pages: `GET .../activity/csv?q&outcome&person&from&until`. Read and sent in
 * chunks, so that memory stays bounded; rows logged after the download started are not included.
 * @throws Failure `invalid_request`
 */
export function listActivityCsv(
  { database, connections }: Runtime,
  { company, query }: Given,
): StreamedResponse {
  const filters = filtersOf(query);
  const externalId = externalIdOf(connections, company);
  return csvFile(
    `activity-${company.replace("@", "")}`,
    csvPieces(database, { company, externalId }, filters),
  );
}

async function* csvPieces(
  database: Database,
  { company, externalId }: { company: string; externalId: string | null },
  given: GivenFilters,
): AsyncGenerator<string, void, void> {
  yield csv([CSV_HEAD]);
  const filters = searched(given, await readActors(database, company));
  let start: Parameters<typeof readActions>[3]["start"] = { offset: 0 };
  for (;;) {
    const actions = await readActions(database, company, filters, { start, limit: CSV_AT_ONCE });
    if (actions.length > 0)
      yield csv(actions.map((action) => [...csvRow(entryOf(action)), externalId]));
    const [last] = actions.at(-1)?.rows ?? [];
    if (last === undefined || actions.length < CSV_AT_ONCE) return;
    start = { behind: { atMs: last.at.getTime(), seq: last.seq } };
  }
}

function csvRow(entry: ActivityEntry): (string | number | null)[] {
  const { file } = entry;
  return [
    entry.asked_at,
    entry.person?.name ?? null,
    entry.person?.email ?? null,
    entry.action,
    file?.id ?? null,
    file?.name ?? null,
    file?.file_type ?? null,
    file === null ? null : String(file.is_baseline),
    file?.project ?? null,
    file?.created_at ?? null,
    entry.subject,
    entry.sent_at,
    entry.outcome,
    entry.outcome_at,
    entry.outcome_by?.name ?? null,
    entry.because,
    entry.seen_later?.seen ?? null,
    entry.seen_later?.at ?? null,
    entry.request_id,
    entry.id,
  ];
}

type GivenFilters = Omit<ActivityFilters, "search"> & { q: string | null };

function filtersOf(query: URLSearchParams): GivenFilters {
  const fromMs = instant(query, "from");
  const untilMs = instant(query, "until");
  if (fromMs !== null && untilMs !== null && fromMs > untilMs) {
    throw invalid("until", "must not be before from");
  }
  return {
    q: search(query, "q"),
    outcome: choice(query, "outcome", OUTCOMES),
    personEmail: text(query, "person"),
    fromMs,
    untilMs,
  };
}

function searched(
  { q, ...filters }: GivenFilters,
  people: Parameters<typeof searchFor>[1],
): ActivityFilters {
  return { ...filters, search: q === null ? null : searchFor(q, people) };
}

function instant(query: URLSearchParams, name: string): number | null {
  const given = text(query, name);
  const ms = storableMs(given);
  if (given !== null && ms === null) throw invalid(name, NO_STORABLE_TIME);
  return ms;
}

async function entriesOf(
  database: Database,
  company: string,
  actions: readonly LoggedAction[],
): Promise<ActivityEntry[]> {
  const entries = actions.map(entryOf);
  const unknown = entries.filter(
    ({ kind, outcome }) => kind === "file-deletion" && outcome === "unknown",
  );
  const looks = await readNextLooks(
    database,
    company,
    unknown.map(({ id }) => id),
  );
  return entries.map((entry) => ({
    ...entry,
    next_look_at: looks.get(entry.id)?.toISOString() ?? null,
  }));
}

/** Folds the rows of one action into its current state. */
function entryOf({ id, rows }: LoggedAction): ActivityEntry {
  const [first] = rows;
  const [action = first.event] = first.event.split(".");
  const sending = rows.findLast(
    ({ event }) => event === `${action}.sent` || event === `${action}.not-sent`,
  );
  const concluded = rows.findLast(({ event }) => event === `${action}.outcome`);
  const sighting = rows.findLast(({ event }) => event === `${action}.seen-later`);
  return {
    id,
    kind: ACTION_KINDS.find((kind) => kind === first.kind) ?? notAKind(first),
    action,
    person: personOf(first),
    asked_at: first.at.toISOString(),
    // A send that was announced but never made counts as not sent.
    sent_at: sending?.event === `${action}.sent` ? sending.at.toISOString() : null,
    outcome: outcomeOf(concluded),
    outcome_at: concluded?.at.toISOString() ?? null,
    outcome_by: concluded === undefined ? null : personOf(concluded),
    // An action that completes at once carries its reason in its first row.
    because: wordsIn(concluded ?? first, "because"),
    ...testOf(first),
    next_look_at: null,
    seen_later: seenLaterOf(sighting),
    request_id: first.requestId,
    file: ActivityFile.safeParse(first.detail["file"]).data ?? null,
    subject: wordsIn(first, "subject"),
  };
}

function seenLaterOf(row: LoggedRow | undefined): ActivityEntry["seen_later"] {
  return SeenLater.safeParse({ at: row?.at.toISOString(), seen: row?.detail["seen"] }).data ?? null;
}

function testOf({ detail }: LoggedRow): Pick<ActivityEntry, "test"> {
  const test = TEST_TROUBLES.find((trouble) => trouble === detail["test"]);
  return test === undefined ? {} : { test };
}

function outcomeOf(row: LoggedRow | undefined): Outcome | null {
  return OUTCOMES.find((outcome) => outcome === row?.detail["outcome"]) ?? null;
}

function personOf({ personName, personEmail }: LoggedRow): ActivityEntry["person"] {
  return personEmail === null ? null : { name: personName ?? personEmail, email: personEmail };
}

function wordsIn(row: LoggedRow | undefined, member: "because" | "subject"): string | null {
  const words = row?.detail[member];
  return typeof words === "string" ? words : null;
}

function notAKind({ seq, kind }: LoggedRow): never {
  throw new Error(`row ${seq} of the audit log is of an unknown kind: ${kind}`);
}
