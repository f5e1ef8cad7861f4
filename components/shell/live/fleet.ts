import type { CompanySummary, Source } from "@/lib/contracts/dashboard";
import { ledgerHops, reasonOfAll, type LedgerHop } from "@/components/shell/ledger-hops";
import { confidenceNow, confidenceOnScreen } from "@/lib/domain/confidence";
import { freshnessLedger } from "@/lib/domain/ledger";
import type { Confidence, SourceReason } from "@/lib/domain/sync";
import { instantMs } from "@/lib/domain/time/instant";
import { datedMoment } from "@/lib/domain/words/dates";
import { fleetWords } from "./fleet-words";

/** Combined confidence of all companies, as a word and a note. */
export type FleetState = {
  /**
   * The worst of all companies with a snapshot, so that a blind one is never behind a calm mark.
   */
  confidence: Confidence;
  /** None of them is seen. */
  isBlind: boolean;
  /** All that are seen are live and recorded, so that the top bar says enough. */
  isFolded: boolean;
  label: string;
  note: string;
};

/**
 * @param companies at least one
 * @param nowMs the server's clock, epoch milliseconds
 * @param isServerSilent our server doesn't respond to this screen
 */
export function fleetState(
  companies: readonly CompanySummary[],
  nowMs: number,
  isServerSilent: boolean,
): FleetState {
  const isRead = ({ source }: CompanySummary) => source.last_success_at !== null;
  const namesOf = (confidence: Confidence) =>
    companies
      .filter(
        (company) =>
          isRead(company) &&
          confidenceOnScreen(confidenceNow(company.source, nowMs), isServerSilent) === confidence,
      )
      .map(({ name }) => name);
  const [live, delayed, blind] = [namesOf("live"), namesOf("delayed"), namesOf("blind")];
  const unread = companies.length - companies.filter(isRead).length;
  const unseen = blind.length + unread;
  return {
    confidence: unseen > 0 ? "blind" : delayed.length > 0 ? "delayed" : "live",
    isBlind: unseen === companies.length,
    isFolded: live.length > 0 && delayed.length === 0 && isRecorded(companies),
    label: fleetWords.live(live.length, companies.length),
    note: [
      fleetWords.blind(blind.length, blind[0]),
      fleetWords.delayed(delayed.length),
      fleetWords.unread(unread),
    ]
      .filter(Boolean)
      .join("; "),
  };
}

/** Whether both render alike. */
export const isSameState = (a: FleetState, b: FleetState) =>
  a.confidence === b.confidence &&
  a.isBlind === b.isBlind &&
  a.isFolded === b.isFolded &&
  a.label === b.label &&
  a.note === b.note;

/**
 * Data ages from the partners to the screen, the oldest of each hop across companies that aren't
 * blind. The bar names blind ones; their ages are shown only when all are blind.
 * @param screen when this screen last got a response from our server, and whether it still does
 */
export function fleetHops(
  companies: readonly CompanySummary[],
  nowMs: number,
  screen: { receivedMs: number; isServerSilent: boolean },
): readonly LedgerHop[] {
  const judged = companies.map((company) => ({
    ...company,
    confidence: confidenceOnScreen(confidenceNow(company.source, nowMs), screen.isServerSilent),
  }));
  const seen = judged.filter((company) => company.confidence !== "blind");
  const relevant = seen.length === 0 ? judged : seen;
  const ages = relevant.flatMap(({ partner_data: data, source }) => {
    const apiNowMs = nowMs + source.api_clock_offset_ms;
    const [oldestMs, newestMs] = [data?.oldest_at, data?.newest_at].map((at) =>
      instantMs(at ?? null),
    );
    return [oldestMs, newestMs].flatMap((ms) => (ms == null ? [] : apiNowMs - ms));
  });
  const { apiCache, snapshot } = freshnessLedger(
    [],
    {
      nowMs,
      apiNowMs: nowMs,
      lastSuccessMs: oldestOf(relevant),
      lastResponseMs: null,
    },
    Math.max(...relevant.map(({ source }) => source.rhythm_seconds)),
  );
  return ledgerHops(
    {
      partnerData:
        ages.length === 0
          ? null
          : { youngestMs: Math.max(0, Math.min(...ages)), oldestMs: Math.max(...ages) },
      apiCache,
      snapshot,
      screen: { ageMs: Math.max(0, nowMs - screen.receivedMs) },
    },
    {
      confidence:
        seen.length === 0
          ? "blind"
          : seen.every((company) => company.confidence === "live")
            ? "live"
            : "delayed",
      reason: reasonOf(relevant),
      isServerSilent: screen.isServerSilent,
      isRecording: isRecorded(relevant),
    },
  );
}

/** The oldest last check of the companies that are seen, epoch milliseconds; null: none is. */
export function oldestCheckMs(companies: readonly CompanySummary[], nowMs: number): number | null {
  return oldestOf(companies.filter(({ source }) => confidenceNow(source, nowMs) !== "blind"));
}

function oldestOf(companies: readonly Pick<CompanySummary, "source">[]): number | null {
  const checks = companies.flatMap(({ source }) => instantMs(source.last_success_at) ?? []);
  return checks.length === 0 ? null : Math.min(...checks);
}

const isRecorded = (companies: readonly CompanySummary[]) =>
  companies.every(({ source }) => (source.recording_stopped ?? null) === null);

/** Most companies that the sentence names. */
const MAX_NAMED = 3;

/**
 * Whom we see, whom we don't, and since when.
 * @param nowMs the server's clock, epoch milliseconds
 */
export function fleetSentence(
  companies: readonly CompanySummary[],
  { nowMs, timeZone }: { nowMs: number; timeZone: string },
): string {
  const seenAs = companies.map(({ name, source }) => ({
    name,
    confidence: confidenceNow(source, nowMs),
    lastMs: instantMs(source.last_success_at),
  }));
  const amount = (confidence: Confidence) =>
    seenAs.filter((one) => one.confidence === confidence).length;
  const unseen = seenAs.flatMap(({ name, confidence, lastMs }) =>
    confidence === "blind" && lastMs !== null
      ? { name, since: datedMoment(lastMs, nowMs, timeZone) }
      : [],
  );
  const unread = seenAs.flatMap(({ name, lastMs }) => (lastMs === null ? name : []));
  const delayed = amount("delayed");
  return [
    fleetWords.isLive(amount("live"), companies.length),
    delayed === 0 ? "" : fleetWords.isDelayed(delayed),
    fleetWords.notSeen(unseen.slice(0, MAX_NAMED), Math.max(0, unseen.length - MAX_NAMED)),
    unread.length === 0 ? "" : fleetWords.notChecked(unread),
  ]
    .filter(Boolean)
    .join(" ");
}

/** Why no company was read the last time; null: some were. */
function reasonOf(companies: readonly CompanySummary[]): SourceReason | "several" | null {
  const reasons = companies.flatMap(({ source }) => source.reason ?? []);
  return reasons.length < companies.length ? null : reasonOfAll(reasons);
}

/** The budget of the host with the highest usage; companies of one host share it. Null: none is known. */
export function fullestBudget(companies: readonly CompanySummary[]): Source["budget"] {
  const share = ({ used, limit }: NonNullable<Source["budget"]>) => (limit > 0 ? used / limit : 0);
  return companies.reduce<Source["budget"]>(
    (fullest, { source: { budget } }) =>
      budget === null || (fullest !== null && share(budget) <= share(fullest)) ? fullest : budget,
    null,
  );
}
