import { overdueFromMs } from "@/lib/client/snapshot";
import { confidenceNow, confidenceOnScreen } from "@/lib/domain/confidence";
import { ledgerHops, reasonOfAll, type LedgerHop } from "@/components/shell/ledger-hops";
import type { SyncStatusView } from "@/lib/contracts/dashboard";
import type { WallIncidentsView } from "@/lib/contracts/wall";
import { instantMs } from "@/lib/domain/time/instant";
import { freshnessLedger } from "@/lib/domain/ledger";
import type { Confidence, SourceReason } from "@/lib/domain/sync";
import { CONFIDENCE_LABEL } from "@/lib/domain/words/labels";
import { confidenceNote, sourceReasonSentence } from "@/lib/domain/words/source-sentences";
import { moment } from "@/lib/domain/words/format";
import { bandWords, fleetWords, footWords, namesText } from "./words";

/** The screen's data of one company. */
export type WallCompany = {
  slug: string;
  name: string;
  /** The last response, however old; null before the first. */
  view: SyncStatusView | null;
  /** Its incidents and quiet times; null or absent: unknown. */
  incidents?: WallIncidentsView | null;
  /**
   * When it arrived, or was last confirmed, epoch milliseconds on the server's clock; null: never.
   */
  lastResponseMs: number | null;
};

/** The server's clock as a screen tracks it, so that data ages without responses. */
export type ScreenTime = {
  /** Epoch milliseconds. */
  nowMs: number;
  /** False after sleep and after a change of the screen's clock, until the next response. */
  isTimeCertain: boolean;
};

/** Confidence in one company's data. */
export type Trust = {
  company: WallCompany;
  /** `starting`: nothing is known yet, and nothing went wrong. */
  state: Confidence | "starting";
  /** When the API was last read completely; null: never. */
  asOfMs: number | null;
  /** Our server does not respond to this screen. */
  isSilent: boolean;
};

type When = { nowMs: number; timeZone: string };

/** The poll interval assumed before a response has one. */
const USUAL_RHYTHM_SECONDS = 60;
const USUAL_SOURCE = { next_refresh_at: null, rhythm_seconds: USUAL_RHYTHM_SECONDS };

/** How far a screen can trust what it shows of a company. */
export function trustOf(company: WallCompany, { nowMs, isTimeCertain }: ScreenTime): Trust {
  const { view, lastResponseMs } = company;
  const isSilent =
    lastResponseMs !== null &&
    (!isTimeCertain || nowMs > overdueFromMs(view?.source ?? USUAL_SOURCE, lastResponseMs));
  if (view === null) return { company, state: "starting", asOfMs: null, isSilent };
  const asOfMs = instantMs(view.as_of);
  if (asOfMs !== null) {
    // Rows without a dated read count as none.
    return {
      company,
      state: confidenceOnScreen(confidenceNow(view.source, nowMs), isSilent),
      asOfMs,
      isSilent,
    };
  }
  const isStarting = view.source.reason === "starting" && !isSilent;
  return { company, state: isStarting ? "starting" : "blind", asOfMs, isSilent };
}

const WORST_FIRST = ["blind", "starting", "delayed", "live"] as const;

/** The worst of all, which is shown large; `live` without any. */
export function worstState(trusts: readonly Trust[]): Trust["state"] {
  return WORST_FIRST.find((state) => trusts.some((trust) => trust.state === state)) ?? "live";
}

/** Less certain first. */
export function compareTrust(a: Trust, b: Trust): number {
  return WORST_FIRST.indexOf(a.state) - WORST_FIRST.indexOf(b.state);
}

/** The oldest read among them, epoch milliseconds; null when there is none. */
export function oldestReadMs(trusts: readonly Trust[]): number | null {
  const reads = trusts.flatMap(({ asOfMs }) => (asOfMs === null ? [] : [asOfMs]));
  return reads.length === 0 ? null : Math.min(...reads);
}

/** "Northgate Builders", "Northgate Builders and Orchard", "3 customers". */
export function nameThem(trusts: readonly Trust[]): string {
  return namesText(trusts.map(({ company }) => company.name));
}

/** The large message of a blind wall. */
export type Band = { title: string; sentences: readonly string[] };

/** @returns null while every company is visible or starting */
export function bandOf(trusts: readonly Trust[], when: When): Band | null {
  const blind = trusts.filter(({ state }) => state === "blind");
  if (blind.length === 0) return null;
  const sinceMs = oldestReadMs(blind);
  const isAll = blind.length === trusts.length;
  const title = bandWords.title(
    sinceMs === null ? null : moment(sinceMs, when.nowMs, when.timeZone),
  );
  const reasons = new Set(blind.map((trust) => blindReason(trust, when)));
  const [first = ""] = reasons;
  const reason = reasons.size === 1 ? first : bandWords.several;
  const who =
    trusts.length > 1 && !isAll ? bandWords.whose(nameThem(blind), lowered(reason)) : reason;
  if (sinceMs === null) return { title, sentences: [who, bandWords.noData] };
  const age = bandWords.age(when.nowMs - sinceMs);
  return { title, sentences: [who, `${age} ${bandWords.warning(isAll)}`] };
}

function blindReason({ company, isSilent }: Trust, { nowMs, timeZone }: When): string {
  const { view, lastResponseMs } = company;
  // The server's last statement about the upstream is outdated by now.
  if (isSilent && lastResponseMs !== null)
    return bandWords.lostConnection(moment(lastResponseMs, nowMs, timeZone));
  const reason = view?.source.reason ?? null;
  if (view === null || reason === null) return bandWords.noCheck;
  const resetMs = instantMs(view.source.rate_limit?.reset_at ?? null);
  return sourceReasonSentence(reason, { resetMs, nowMs, timeZone });
}

/** Lower-cases the start after a colon, except for our own names. */
function lowered(sentence: string): string {
  return sentence.startsWith("Plumbline")
    ? sentence
    : `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
}

/** The footer: confidence, and the four data ages. */
export type Foot = {
  state: Trust["state"];
  label: string;
  note: string;
  hops: readonly LedgerHop[];
};

/** With several companies the footer shows the worst: each hop's greatest age. */
export function footOf(trusts: readonly Trust[], when: When): Foot {
  const state = worstState(trusts);
  const word = state === "starting" ? footWords.starting : CONFIDENCE_LABEL[state];
  const concerned = trusts.filter((trust) => trust.state === state);
  const isNamed = trusts.length > 1 && state !== "live" && concerned.length < trusts.length;
  return {
    state,
    label: isNamed ? footWords.of(word, nameThem(concerned)) : word,
    note: state === "delayed" ? delayedNote(concerned, when) : "",
    hops: hopsOf(trusts, state, when.nowMs),
  };
}

/** Of several companies, most of them seen: of those, and how many they are. */
export function fleetFootOf(trusts: readonly Trust[], seen: readonly Trust[], when: When): Foot {
  const foot = footOf(seen, when);
  const seenOf = fleetWords.seenOf(seen.length, trusts.length);
  return { ...foot, note: foot.note === "" ? seenOf : `${seenOf}. ${foot.note}` };
}

function delayedNote(delayed: readonly Trust[], when: When): string {
  const lastSuccessMs = oldestReadMs(delayed);
  const oldest = delayed.find(({ asOfMs }) => asOfMs === lastSuccessMs);
  if (oldest === undefined) return "";
  const { frozenFromMs = null } = ledgerOf(oldest, when.nowMs).snapshot ?? {};
  return confidenceNote("delayed", { lastSuccessMs, frozenFromMs, ...when });
}

function hopsOf(
  trusts: readonly Trust[],
  state: Trust["state"],
  nowMs: number,
): readonly LedgerHop[] {
  const ledgers = trusts.map((trust) => ledgerOf(trust, nowMs));
  const seen = ledgers.flatMap(({ partnerData }) => partnerData ?? []);
  const isRead = ledgers.length > 0 && ledgers.every(({ snapshot }) => snapshot !== null);
  const isReceived = ledgers.length > 0 && ledgers.every(({ screen }) => screen !== null);
  const older = <Hop extends { ageMs: number }>(a: Hop, b: Hop) => (b.ageMs > a.ageMs ? b : a);
  return ledgerHops(
    {
      partnerData:
        seen.length === 0
          ? null
          : {
              youngestMs: Math.min(...seen.map(({ youngestMs }) => youngestMs)),
              oldestMs: Math.max(...seen.map(({ oldestMs }) => oldestMs)),
            },
      apiCache: ledgers.find(({ apiCache }) => apiCache !== null)?.apiCache ?? null,
      snapshot: isRead ? ledgers.flatMap(({ snapshot }) => snapshot ?? []).reduce(older) : null,
      screen: isReceived ? ledgers.flatMap(({ screen }) => screen ?? []).reduce(older) : null,
    },
    {
      confidence: state === "starting" ? "blind" : state,
      reason: worstReason(trusts, state),
      isServerSilent: trusts.some(({ isSilent }) => isSilent),
      isRecording: trusts.every(
        ({ company }) => (company.view?.source.recording_stopped ?? null) === null,
      ),
    },
  );
}

function worstReason(
  trusts: readonly Trust[],
  state: Trust["state"],
): SourceReason | "several" | null {
  if (state === "starting") return "starting";
  const reasons = trusts.flatMap(({ company }) => company.view?.source.reason ?? []);
  return reasonOfAll(reasons.filter((reason) => reason !== "starting"));
}

function ledgerOf({ company, asOfMs }: Trust, nowMs: number) {
  const { view, lastResponseMs } = company;
  const apiNowMs = nowMs + (view?.source.api_clock_offset_ms ?? 0);
  return freshnessLedger(
    view?.rows ?? [],
    { nowMs, apiNowMs, lastSuccessMs: asOfMs, lastResponseMs },
    view?.source.rhythm_seconds ?? USUAL_RHYTHM_SECONDS,
  );
}
