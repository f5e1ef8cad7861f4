import { delayedUntilMs } from "@/lib/domain/confidence";
import type { Silence } from "@/lib/domain/silence";
import { isResting, type Confidence, type SourceReason } from "@/lib/domain/sync";
import { clockTimeWithSeconds, count, counted, span } from "./format";
import { atMoment, datedMoment } from "./dates";
import { sourceReasonSentence } from "./source-sentences";
import { zoneName } from "@/lib/domain/time/zone-name";

/**
 * Sentences for a page without new data, and whose failure that is: the browser's, Plumbline's or the source's.
 * Instants are epoch milliseconds on the server's clock; a `timeZone` is an IANA name.
 */

const SILENT: Readonly<Record<Silence, string>> = {
  offline: "This browser is offline",
  no_answer: "This browser has lost its connection to Plumbline",
  error: "Plumbline is returning errors",
  signed_out: "Your session has ended",
};

/** "12 of 60 feeds were behind", "1 of 2 feeds was behind", "0 of 1 feed was behind": when a customer was last seen. */
export function behindThenText(behind: number, feeds: number): string {
  return `${count(behind)} of ${counted(feeds, "feed")} ${wereBehind(behind, feeds)}`;
}

/** The verb after "1 of 2 feeds": "was behind", "were behind". */
export function wereBehind(behind: number, feeds: number): string {
  return behind === 1 || feeds === 1 ? "was behind" : "were behind";
}

/** Shown beside text from data that may be outdated. */
export function newerDataSentence(silence: Silence): string {
  return `${SILENT[silence]}, so there may be newer data.`;
}

/** What a page knows about the source of its data. */
export type Supply = {
  confidence: Confidence;
  /** Null while Plumbline responds to this browser. */
  silence: Silence | null;
  /** Its last response. */
  lastResponseMs: number;
  /** Why the last check failed; null if it succeeded. */
  reason: SourceReason | null;
  /** End of a rate limit; null if the source didn't give one. */
  resetMs: number | null;
  /** The last complete check; null before the first. */
  lastSuccessMs: number | null;
  rhythmSeconds: number;
};

type When = { nowMs: number; timeZone: string };

/**
 * The banner above a page, lead first: known facts, then what is next.
 * @returns null if there is nothing to show
 */
export function bannerSentences(supply: Supply, when: When): [string, ...string[]] | null {
  const lead = leadSentence(supply, when);
  if (lead === null) return null;
  const isSilent = supply.silence !== null;
  const next =
    !isSilent && isResting(supply.reason)
      ? ["Nothing is checked until an administrator changes that. Verdicts are frozen."]
      : [retrying(supply), freezing(supply, when)].filter((sentence) => sentence !== "");
  return [lead, lastCheck(supply, when), ...next];
}

/**
 * That this browser gets no data from Plumbline, and since when.
 * @param lastResponseMs time of the last response
 * @returns null if the page shows it prominently, with a way to sign in again
 */
export function silenceSentence(
  silence: Silence,
  lastResponseMs: number,
  { nowMs, timeZone }: When,
): string | null {
  const at = atMoment(lastResponseMs, nowMs, timeZone);
  switch (silence) {
    case "offline":
      return `This browser is offline. It lost its connection to Plumbline ${at}.`;
    case "no_answer":
      return `This browser lost its connection to Plumbline ${at}.`;
    case "error":
      return `Plumbline has been returning errors since ${datedMoment(lastResponseMs, nowMs, timeZone)}.`;
    case "signed_out":
      return null;
  }
  return silence satisfies never;
}

function leadSentence(supply: Supply, { nowMs, timeZone }: When): string | null {
  const { silence, reason, resetMs, confidence, lastSuccessMs, lastResponseMs } = supply;
  if (silence !== null) return silenceSentence(silence, lastResponseMs, { nowMs, timeZone });
  if (reason === "starting") return null;
  if (reason !== null) return sourceReasonSentence(reason, { resetMs, nowMs, timeZone });
  // The last check succeeded and none has run since: that is Plumbline's own failure.
  if (confidence === "live" || lastSuccessMs === null) return null;
  return `Plumbline hasn’t checked the source since ${datedMoment(lastSuccessMs, nowMs, timeZone)}.`;
}

function lastCheck({ lastSuccessMs }: Supply, { nowMs, timeZone }: When): string {
  if (lastSuccessMs === null) return "No complete check yet.";
  const dated = datedMoment(lastSuccessMs, nowMs, timeZone);
  // On another day the date matters more than the seconds.
  const at = dated.includes(" ") ? dated : clockTimeWithSeconds(lastSuccessMs, timeZone);
  return `Last complete check: ${at} ${zoneName(lastSuccessMs, timeZone)}.`;
}

function retrying({ silence, reason, rhythmSeconds }: Supply): string {
  const isOurs = silence !== null || reason === null;
  // No attempts are made until a rate limit ends.
  return isOurs || reason === "rate_limited"
    ? "Retrying automatically."
    : `Retrying every ${span(rhythmSeconds * 1000)}.`;
}

function freezing({ lastSuccessMs, rhythmSeconds }: Supply, { nowMs, timeZone }: When): string {
  const frozenFromMs = delayedUntilMs(lastSuccessMs, rhythmSeconds);
  if (frozenFromMs === null) return "";
  return nowMs < frozenFromMs
    ? `Verdicts freeze ${atMoment(frozenFromMs, nowMs, timeZone)} if this continues.`
    : `Verdicts have been frozen since ${datedMoment(frozenFromMs, nowMs, timeZone)}.`;
}
