import type { Verdict } from "@/lib/domain/sync";
import { counted, duration, moment } from "./format";
import { dayMonthYear } from "./dates";
import { incidentHeadline, type HeadlineIncident } from "./incident-headline";
import { partnerHeadline, worstFirst, type HeadlineEndpoint } from "./partner-headline";
import { UNSEEN_AFTER } from "./then-and-now";
import { zoneName } from "@/lib/domain/time/zone-name";
import { DAY_MS } from "@/lib/domain/time/units";

/** Sentences of what is shared: on the page of a share link, in its preview, and in a chat. */

const NEEDS_ATTENTION: ReadonlySet<Verdict> = new Set(["failing", "stale", "late"]);

/** An endpoint as it is told to others. */
export type TellingEndpoint = {
  endpointKey: string;
  word: Verdict;
  ageMs: number | null;
  /** Negative while early. */
  latenessMs: number | null;
};

type When = { nowMs: number; timeZone: string };

/**
 * "At 14:32, 3 of 9 Procore endpoints were late; the worst was daily_logs"
 * @param given.atMs of what moment it speaks: while we were blind, of the last check before
 */
export function thenHeadline(
  partnerName: string,
  endpoints: readonly TellingEndpoint[],
  { atMs, wasBlind, nowMs, timeZone }: When & { atMs: number; wasBlind: boolean },
): string {
  const frozen = { asOfMs: atMs, nowMs, timeZone };
  const { before, endpointKey, after } = partnerHeadline(
    partnerName,
    endpoints.map(headlineEndpoint),
    frozen,
  );
  return `${before}${endpointKey}${after}${wasBlind ? `; ${UNSEEN_AFTER}` : ""}.`;
}

/**
 * One dated statement, for a chat: "Procore · Northgate: 2 of 9 need attention, worst daily_logs, 18 h 50 m overdue,
 * as of Sat 20:33 UTC". Of what can't be judged it says so, and once we are blind it is of the past.
 * @param subject what it is about: "Procore · Northgate"
 * @param endpoints none: nothing was seen yet
 * @param picture.asOfMs of what moment it speaks: now, or the snapshot's once we are blind
 * @param picture.checkedMs the last check, while that is longer ago than it should be; null: it is not, or `asOfMs` says it
 */
export function chatStatement(
  subject: string,
  endpoints: readonly (TellingEndpoint & { name: string })[],
  picture: When & { asOfMs: number | null; checkedMs: number | null; isBlind: boolean },
): string {
  const { asOfMs, checkedMs, nowMs, timeZone, isBlind } = picture;
  if (asOfMs === null || endpoints.length === 0) return `${subject}: not checked yet`;
  const asOf = asOfText(asOfMs, nowMs, timeZone);
  const worst = worstFirst(endpoints.map((one) => ({ ...headlineEndpoint(one), name: one.name })));
  const unknown = endpoints.filter(({ word }) => word === "unknown").length;
  const cannotTell = unknown === 0 ? "" : `, ${unknown} can’t be judged`;
  const blind = isBlind ? ", not checked since" : checkedText(checkedMs, { nowMs, timeZone });
  const [only] = endpoints;
  if (endpoints.length === 1 && only !== undefined) {
    const overdue = overdueText(only.word, only.latenessMs);
    return `${subject}: ${isBlind ? "was " : ""}${only.word}${overdue}, ${asOf}${blind}`;
  }
  const [first] = worst;
  if (first === undefined) {
    const none = isBlind ? "none needed attention" : "none needs attention";
    return `${subject}: ${none} of ${endpoints.length}${cannotTell}, ${asOf}${blind}`;
  }
  const need = isBlind ? "needed" : worst.length === 1 ? "needs" : "need";
  const named = `worst ${first.name}${overdueText(first.word, first.judgement.terms.latenessMs)}`;
  return `${subject}: ${worst.length} of ${endpoints.length} ${need} attention, ${named}${cannotTell}, ${asOf}${blind}`;
}

/**
 * "Procore · Northgate, incident 12: Procore has needed attention since 10:02: 2 of 9 endpoints; next sync 15:00, as of
 * Sat 20:33 UTC"; of one that has ended how it ended.
 * @param picture.nowMs on the API's clock
 */
export function incidentStatement(
  subject: string,
  incident: HeadlineIncident,
  picture: When,
): string {
  const { nowMs, timeZone } = picture;
  return `${subject}: ${incidentHeadline(incident, picture)}, ${asOfText(nowMs, nowMs, timeZone)}`;
}

/** What a chat is told of a company: how many of its endpoints need attention, and how many can't be judged. */
export type TellingCompany = {
  name: string;
  attention: number;
  unknown: number;
  total: number;
  isBlind: boolean;
  /** The last check, while that is longer ago than it should be; else null. */
  checkedMs: number | null;
};

/**
 * "Plumbline: 2 of 24 companies need attention, worst Northgate (12 of 60 endpoints), 1 not visible now, as of Sat 20:33 UTC"
 * @param companies worst first
 */
export function companiesStatement(
  subject: string,
  companies: readonly TellingCompany[],
  { nowMs, timeZone }: When,
): string {
  const seen = companies.filter(({ isBlind }) => !isBlind);
  const worst = seen.filter(({ attention }) => attention > 0);
  const [first] = worst;
  const blind = companies.length - seen.length;
  const unseen = blind === 0 ? "" : `, ${blind} we can’t check`;
  const unknown = seen.reduce((sum, company) => sum + company.unknown, 0);
  const cannotTell = unknown === 0 ? "" : `, ${counted(unknown, "endpoint")} can’t be judged`;
  const need = worst.length === 1 ? "needs" : "need";
  // Of those whose check is late, the one that was checked first.
  const checked = seen.flatMap(({ checkedMs }) => checkedMs ?? []);
  const late = checkedText(checked.length === 0 ? null : Math.min(...checked), {
    nowMs,
    timeZone,
  });
  if (seen.length === 0)
    return `${subject}: we can’t check any of ${companies.length}, ${asOfText(nowMs, nowMs, timeZone)}`;
  const many =
    first === undefined
      ? `none of ${seen.length} needs attention`
      : `${worst.length} of ${seen.length} ${need} attention, worst ${first.name} (${first.attention} of ${first.total} endpoints)`;
  return `${subject}: ${many}${cannotTell}${unseen}, ${asOfText(nowMs, nowMs, timeZone)}${late}`;
}

/** ", last check Sat 20:29 UTC"; empty where there is no need to say so. */
function checkedText(checkedMs: number | null, { nowMs, timeZone }: When): string {
  return checkedMs === null ? "" : `, last check ${dayAndTime(checkedMs, nowMs, timeZone)}`;
}

/** "as of Sat 20:33 UTC": with its day even today, because it is read on others. */
function asOfText(asOfMs: number, nowMs: number, timeZone: string): string {
  return `as of ${dayAndTime(asOfMs, nowMs, timeZone)}`;
}

function dayAndTime(ms: number, nowMs: number, timeZone: string): string {
  const seenFromMs = Math.max(nowMs, ms + DAY_MS);
  return `${moment(ms, seenFromMs, timeZone)} ${zoneName(ms, timeZone)}`;
}

/** ", 18 h 50 m overdue"; empty where that is no number to tell. */
function overdueText(word: Verdict, latenessMs: number | null): string {
  const isTold = (NEEDS_ATTENTION.has(word) || word === "due") && (latenessMs ?? 0) > 0;
  return isTold && latenessMs !== null ? `, ${duration(latenessMs)} overdue` : "";
}

/**
 * "3 of 9 needed attention; worst daily_logs, 1 h 10 m overdue", under a picture that says when.
 * @param given.total of how many, where not all are told of
 * @param given.wasBlind no one could check any more when it was shared
 */
export function previewStatement(
  endpoints: readonly TellingEndpoint[],
  { total = endpoints.length, wasBlind }: { total?: number; wasBlind: boolean },
): string {
  const worst = worstFirst(endpoints.map(headlineEndpoint));
  const unknown = endpoints.filter(({ word }) => word === "unknown").length;
  const [first] = worst;
  const rest = `${unknown === 0 ? "" : ` ${unknown} couldn’t be judged.`}${wasBlind ? ` ${capital(UNSEEN_AFTER)}.` : ""}`;
  if (first === undefined) return `None of ${total} needed attention.${rest}`;
  const overdue = overdueText(first.word, first.judgement.terms.latenessMs);
  return `${worst.length} of ${total} needed attention; worst ${first.endpointKey}${overdue}.${rest}`;
}

/**
 * "3 of 9 Procore endpoints were late", of the past whenever it is read.
 * @param partnerName null: it can't be written here
 * @param total of how many, where not all are told of
 */
export function pictureHeadline(
  partnerName: string | null,
  endpoints: readonly TellingEndpoint[],
  total: number = endpoints.length,
): string {
  const noun = `${partnerName === null ? "" : `${partnerName} `}${total === 1 ? "endpoint" : "endpoints"}`;
  const be = (many: number) => (many === 1 ? "was" : "were");
  const worst = worstFirst(endpoints.map(headlineEndpoint));
  const [first] = worst;
  if (first !== undefined) {
    const isOneWord = new Set(worst.map(({ word }) => word)).size === 1;
    const state = isOneWord ? `${be(worst.length)} ${first.word}` : "needed attention";
    return `${worst.length} of ${total} ${noun} ${state}`;
  }
  const unknown = endpoints.filter(({ word }) => word === "unknown").length;
  return unknown === 0
    ? `None of ${total} ${noun} needed attention`
    : `${unknown} of ${total} ${noun} couldn’t be judged; none was known to be late`;
}

/** "21 Nov 2026, 14:02 UTC": what a picture says of itself, wherever it is looked at. */
export function pictureMoment(atMs: number): string {
  const time = new Date(atMs).toISOString().slice(11, 16);
  return `${dayMonthYear(atMs, "UTC")}, ${time} UTC`;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function headlineEndpoint({
  endpointKey,
  word,
  ageMs,
  latenessMs,
}: TellingEndpoint): HeadlineEndpoint {
  return { endpointKey, word, judgement: { terms: { ageMs, latenessMs } } };
}
