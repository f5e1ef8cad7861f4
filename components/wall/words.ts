import { needsAttention, type Counts } from "@/lib/domain/order";
import { count, counted, duration, moment } from "@/lib/domain/words/format";
import type { Judged } from "./problem";
import { totalOf, type Scene, type When } from "./scene";
import { contentWidthU, type WallSpace } from "./space";
import { textWidthEm } from "./text-width";
import { nameThem, oldestReadMs, type Trust } from "./trust";

/** What stands where there is nothing to draw. */
export type Notice = { kind: "notice"; headline: string; detail: string };

const TITLE_U = 3.2;
const TITLE_GAP_U = 2.4;
const CLOCK_U = 46;

/** The names of all companies, or how many they are where those have no room. */
export function titleOf(trusts: readonly Trust[], attention: string, space: WallSpace): string {
  const names = trusts.map(({ company }) => company.name);
  if (names.length === 0) return "Plumbline";
  const joined = names.join(", ");
  // In portrait what needs attention stands below the title.
  const beside = space.shape === "landscape" ? TITLE_GAP_U + textWidthEm(attention) * TITLE_U : 0;
  const roomU = contentWidthU(space) - CLOCK_U - beside;
  return names.length === 1 || textWidthEm(joined) * TITLE_U <= roomU
    ? joined
    : `${names.length} companies`;
}

/** "9 of 60 need attention", as of when it was read. */
export function attentionText(
  counts: Counts,
  told: readonly Trust[],
  all: readonly Trust[],
  { nowMs, timeZone }: When,
): string {
  const troubled = needsAttention(counts);
  const total = totalOf(counts);
  const behind = told.filter(({ state }) => state !== "live");
  const asOfMs = oldestReadMs(behind);
  const at = asOfMs === null ? "" : moment(asOfMs, nowMs, timeZone);
  const isFrozen = told.every(({ state }) => state === "blind");
  const missing = all.filter((trust) => !told.includes(trust));
  const without = missing.length === 0 ? "" : `, excluding ${nameThem(missing)}`;
  if (troubled === 0) {
    // Never in the present tense while we are behind.
    return `${at === "" ? "Nothing needs attention" : `Nothing needed attention at ${at}`}${without}`;
  }
  const share = `${count(troubled)} of ${count(total)}`;
  if (isFrozen) return `${share} needed attention at ${at}${without}`;
  const verb = troubled === 1 ? "needs" : "need";
  return `${share} ${verb} attention${at === "" ? "" : `, as of ${at}`}${without}`;
}

/** Before the first picture. */
export function unreadNotice(trusts: readonly Trust[]): Notice {
  if (trusts.length === 0) {
    const detail = "This display has no access to any company, or none is connected.";
    return { kind: "notice", headline: "No companies to show", detail };
  }
  const who = nameThem(trusts);
  if (trusts.every(({ company }) => company.view === null))
    return {
      kind: "notice",
      headline: "Waiting for the first response",
      detail: `This display has no data for ${who} yet.`,
    };
  return trusts.some(({ state }) => state === "blind")
    ? {
        kind: "notice",
        headline: "No verdicts yet",
        detail: `Verdicts for ${who} appear after the first full check.`,
      }
    : {
        kind: "notice",
        headline: "Starting",
        detail: `${who}: first check in progress. Verdicts appear once it finishes.`,
      };
}

/** A picture without an endpoint. */
export function emptyNotice({ told, seen }: Scene): Notice {
  const isFrozen = seen.length === 0;
  return {
    kind: "notice",
    headline: isFrozen ? "No endpoints then" : "No endpoints yet",
    detail: `The source ${isFrozen ? "reported" : "reports"} no syncs for ${nameThem(told)}.`,
  };
}

/** @returns "All 52 scheduled endpoints are fresh"; in the past tense unless all that is told is live */
export function calmHeadline({ counts, told, trusts, when }: Scene): string {
  const scheduled = counts.fresh + counts.due + counts.unknown;
  const asOfMs = oldestReadMs(told.filter(({ state }) => state !== "live"));
  const isPast = asOfMs !== null;
  const at = isPast ? ` at ${moment(asOfMs, when.nowMs, when.timeZone)}` : "";
  if (scheduled === 0)
    return isPast ? `No endpoints were scheduled${at}` : "No endpoints are scheduled";
  // Whom we do not see is not among "all".
  const which = told.length < trusts.length ? " that we can see" : "";
  const endpoints = `${counted(scheduled, "scheduled endpoint")}${which}`;
  const are = scheduled === 1 ? (isPast ? "was" : "is") : isPast ? "were" : "are";
  if (counts.fresh < scheduled) return `${count(counts.fresh)} of ${endpoints} ${are} fresh${at}`;
  const all = scheduled === 1 ? `The only scheduled endpoint${which}` : `All ${endpoints}`;
  return `${all} ${are} fresh${at}`;
}

/** The endpoint that will be due first; null while nothing is known of any. */
export function nearestToDue(judged: readonly Judged[]) {
  let nearest: { judged: Judged; aheadMs: number } | null = null;
  for (const one of judged) {
    const { latenessMs } = one.judgement.terms;
    if (one.judgement.word !== "fresh" || one.isFrozen || latenessMs === null) continue;
    if (nearest === null || -latenessMs < nearest.aheadMs)
      nearest = { judged: one, aheadMs: -latenessMs };
  }
  if (nearest === null) return null;
  const { row } = nearest.judged;
  return {
    partner: row.partner_name,
    endpoint: row.endpoint_key,
    // The API caches for a minute: nothing counts down below one.
    ahead: nearest.aheadMs < 60_000 ? "in under 1 m" : `in ${duration(nearest.aheadMs)}`,
  };
}
