import type { Copied } from "@/components/ui/to-clipboard";
import { shareLink } from "@/lib/client/share-link";
import type {
  CompanySummary,
  ListedSource,
  SyncStatusRow,
  SyncStatusView,
} from "@/lib/contracts/dashboard";
import { confidenceNow } from "@/lib/domain/confidence";
import { judge, momentOf } from "@/lib/domain/judge";
import { instantMs } from "@/lib/domain/time/instant";
import { needsAttention, totalOf } from "@/lib/domain/order";
import {
  chatStatement,
  companiesStatement,
  datedText,
  NOT_CHECKED_YET,
} from "@/lib/domain/words/shared-words";

/** When it is stated, by the server's clock (epoch milliseconds), and the time zone. */
export type StatedAt = { nowMs: number; timeZone: string };

/**
 * The state of some endpoints as one dated sentence.
 * @param subject start of the sentence
 * @param nameOf name of the worst one
 */
export function rowsStatement(
  subject: string,
  rows: readonly SyncStatusRow[],
  view: Pick<SyncStatusView, "as_of" | "source">,
  { nowMs, timeZone }: StatedAt,
  nameOf: (row: SyncStatusRow) => string,
): string {
  const moment = momentOf(view, nowMs);
  const offsetMs = view.source.api_clock_offset_ms;
  const seenMs = instantMs(view.as_of);
  const endpoints = rows.map((row) => {
    const { word, terms } = judge(row, moment);
    const { ageMs, latenessMs } = terms;
    return { name: nameOf(row), endpointKey: row.endpoint_key, word, ageMs, latenessMs };
  });
  return chatStatement(subject, endpoints, {
    asOfMs: seenMs === null ? null : moment.atMs,
    nowMs: nowMs + offsetMs,
    timeZone,
    checkedMs: lateCheckMs(view.source, nowMs, offsetMs),
    isBlind: moment.isFrozen,
  });
}

/**
 * The date of a sentence about a company that no moment of the API's is in: "as of Sat 20:33 UTC, last check Sat 20:29
 * UTC"; "not checked yet" before the first snapshot.
 */
export function companyDate(
  { as_of, source }: { as_of: string | null; source: ListedSource },
  said: StatedAt,
): string {
  const seenMs = instantMs(as_of);
  if (seenMs === null) return NOT_CHECKED_YET;
  const isBlind = confidenceNow(source, said.nowMs) === "blind";
  return datedText(
    {
      asOfMs: isBlind ? seenMs : said.nowMs,
      checkedMs: lateCheckMs(source, said.nowMs, 0),
      isBlind,
    },
    said,
  );
}

/** The date of a sentence about all companies that a person sees, with the oldest of the overdue checks. */
export function fleetDate(companies: readonly CompanySummary[], said: StatedAt): string {
  const checked = companies.flatMap(({ source }) => lateCheckMs(source, said.nowMs, 0) ?? []);
  const checkedMs = checked.length === 0 ? null : Math.min(...checked);
  return datedText({ asOfMs: said.nowMs, checkedMs, isBlind: false }, said);
}

/** The date of a sentence about schedule files: of our last reading of their list. */
export function filesDate(
  { as_of, reason }: { as_of: string | null; reason: string | null },
  said: StatedAt,
): string {
  const asOfMs = instantMs(as_of);
  if (asOfMs === null) return NOT_CHECKED_YET;
  const isBlind = reason !== null && reason !== "starting";
  return datedText({ asOfMs, checkedMs: null, isBlind }, said);
}

/** The date of what hasn't been updated since. @param sinceMs epoch milliseconds on the server's clock */
export function silentDate(sinceMs: number, said: StatedAt): string {
  return datedText({ asOfMs: sinceMs, checkedMs: null, isBlind: true }, said);
}

/**
 * Time of the last check, while it is late but still counts; null: not mentioned. @param offsetMs
 * onto the sentence's clock
 */
function lateCheckMs(source: ListedSource, nowMs: number, offsetMs: number): number | null {
  const lastMs = instantMs(source.last_success_at);
  return lastMs === null || confidenceNow(source, nowMs) !== "delayed" ? null : lastMs + offsetMs;
}

/** Same for companies, worst first; blind ones are counted separately. */
export function companyListStatement(
  subject: string,
  companies: readonly CompanySummary[],
  said: StatedAt,
): string {
  const summaries = companies.map(({ name, counts, source }) => ({
    name,
    attention: needsAttention(counts),
    unknown: counts.unknown,
    total: totalOf(counts),
    isBlind: confidenceNow(source, said.nowMs) === "blind",
    checkedMs: lateCheckMs(source, said.nowMs, 0),
  }));
  return companiesStatement(subject, summaries, said);
}

/**
 * A statement with a link to its page; in rich text the subject is the link.
 * @param page as for `shareLink`
 */
export function forChat(
  statement: string,
  subject: string,
  ...page: Parameters<typeof shareLink>
): Copied {
  const href = shareLink(...page);
  const rest = statement.startsWith(subject) ? statement.slice(subject.length) : `: ${statement}`;
  return {
    text: `${statement}\n${href}`,
    html: `<a href="${escaped(href)}">${escaped(subject)}</a>${escaped(rest)}`,
  };
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
