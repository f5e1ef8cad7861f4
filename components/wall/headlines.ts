import { needsAttention, totalOf, type Counts } from "@/lib/domain/order";
import { moment } from "@/lib/domain/words/format";
import type { Judged } from "./problem";
import type { Scene, When } from "./scene";
import { contentWidthU, type WallSpace } from "./layout/space";
import { textWidthEm } from "./layout/text-width";
import { nameThem, oldestReadMs, type Trust } from "./trust";
import {
  NO_COMPANY,
  aheadText,
  attentionWords,
  calmText,
  companiesText,
  namesText,
  notices,
} from "./words";

/** Shown when there is nothing to draw. */
export type Notice = { kind: "notice"; headline: string; detail: string };

const TITLE_U = 3.2;
const TITLE_GAP_U = 2.4;
const CLOCK_U = 46;

/** The names of all companies, or their number if the names don't fit. */
export function titleOf(trusts: readonly Trust[], attention: string, space: WallSpace): string {
  const names = trusts.map(({ company }) => company.name);
  if (names.length === 0) return NO_COMPANY;
  const joined = names.join(", ");
  // In portrait the attention text is below the title.
  const beside = space.shape === "landscape" ? TITLE_GAP_U + textWidthEm(attention) * TITLE_U : 0;
  const roomU = contentWidthU(space) - CLOCK_U - beside;
  return names.length === 1 || textWidthEm(joined) * TITLE_U <= roomU
    ? joined
    : companiesText(names.length);
}

/** "9 of 60 need attention", as of its snapshot. */
export function attentionText(
  counts: Counts,
  counted: readonly Trust[],
  all: readonly Trust[],
  { nowMs, timeZone }: When,
): string {
  const troubled = needsAttention(counts);
  const total = totalOf(counts);
  const behind = counted.filter(({ state }) => state !== "live");
  const asOfMs = oldestReadMs(behind);
  const at = asOfMs === null ? "" : moment(asOfMs, nowMs, timeZone);
  const isFrozen = counted.every(({ state }) => state === "blind");
  const missing = all.filter((trust) => !counted.includes(trust));
  const without = missing.length === 0 ? "" : attentionWords.excluding(nameThem(missing));
  // Never in the present tense while delayed.
  const said =
    troubled === 0
      ? attentionWords.none(at, counts.unknown === 0)
      : attentionWords.share({ troubled, total }, at, isFrozen);
  return `${said}${without}`;
}

/** Before the first snapshot. @param left names of companies that are no longer polled */
export function unreadNotice(trusts: readonly Trust[], left: readonly string[]): Notice {
  if (trusts.length === 0) {
    const notice = left.length === 0 ? notices.noCompany : notices.left(namesText(left));
    return { kind: "notice", ...notice };
  }
  const who = nameThem(trusts);
  if (trusts.every(({ company }) => company.view === null))
    return { kind: "notice", ...notices.noAnswer(who) };
  const isBlind = trusts.some(({ state }) => state === "blind");
  return { kind: "notice", ...(isBlind ? notices.blind(who) : notices.starting(who)) };
}

/** A snapshot without endpoints. */
export function emptyNotice({ counted }: Scene): Notice {
  return { kind: "notice", ...notices.noEndpoint(nameThem(counted)) };
}

/** @returns "All 52 scheduled feeds are fresh"; in the past tense unless all of it is live */
export function calmHeadline({ counts, counted, trusts, when }: Scene): string {
  // Several companies are calm although feeds in a planned quiet time are in trouble.
  const scheduled = counts.fresh + counts.due + counts.unknown + needsAttention(counts);
  const asOfMs = oldestReadMs(counted.filter(({ state }) => state !== "live"));
  const at = asOfMs === null ? null : moment(asOfMs, when.nowMs, when.timeZone);
  return calmText({ fresh: counts.fresh, scheduled }, at, counted.length < trusts.length);
}

/** The endpoint that will be due first; null when none is known. */
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
    ahead: aheadText(nearest.aheadMs),
  };
}
