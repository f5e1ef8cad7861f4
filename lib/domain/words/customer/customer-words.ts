import { nextSentences } from "./next-sentences";
import { seenSentences } from "./seen-sentences";
import { blindSentences, STILL_CHECKING } from "./blind-sentences";
import type { CustomerFeed } from "./feeds";
import { type ReadingClock, createReadingClock } from "./reading-clock";
import type { Confidence } from "@/lib/domain/sync";
import { absoluteTime } from "@/lib/domain/words/format";
import type { Silence } from "@/lib/domain/silence";
import { newerDataSentence } from "@/lib/domain/words/trouble-words";

/**
 * Text for customers: plain language without field names, verdict names or causes that the data doesn't give. Nothing
 * overdue is called up to date. Known facts come first, what happens next comes last. Instants are epoch milliseconds
 * on the API's clock.
 */

/** How far the data can be trusted. */
export type CustomerPicture = {
  confidence: Confidence;
  /** Time of the snapshot; null before the first. */
  asOfMs: number | null;
  /** Why this browser gets no data from Plumbline; null while it does. */
  silence: Silence | null;
};

export type CustomerWords = {
  paragraph: string;
  /** What it is based on and what it leaves out; not for the customer. */
  writtenFrom: string;
};

/**
 * One paragraph about feeds of one partner.
 * @param feeds at least one, worst first
 * @param when `timeZone`: the customer's time zone, an IANA name
 */
export function customerWords(
  partnerName: string,
  feeds: readonly CustomerFeed[],
  picture: CustomerPicture,
  when: { nowMs: number; timeZone: string },
): CustomerWords {
  return {
    paragraph: sentencesOf(partnerName, feeds, picture, createReadingClock(when))
      .filter((sentence) => sentence !== "")
      .join(" "),
    writtenFrom: writtenFrom(feeds, picture, when),
  };
}

function sentencesOf(
  partnerName: string,
  feeds: readonly CustomerFeed[],
  picture: CustomerPicture,
  clock: ReadingClock,
): string[] {
  const { asOfMs, confidence } = picture;
  // This browser doesn't know what Plumbline has seen since, so it can't claim that checks failed.
  const isCutOff = picture.silence !== null;
  if (asOfMs === null)
    return isCutOff
      ? [`We don’t have any information about ${partnerName} yet.`]
      : [`We haven’t been able to check ${partnerName} yet.`, STILL_CHECKING];
  if (confidence === "blind") return blindSentences(partnerName, feeds, asOfMs, isCutOff, clock);
  // In reading order: the first time mentioned names the zone.
  return [
    ...seenSentences(partnerName, feeds, clock),
    confidence === "delayed" ? `This is as of ${clock.at(asOfMs)}.` : "",
    ...nextSentences(feeds, clock),
  ];
}

function writtenFrom(
  feeds: readonly CustomerFeed[],
  { confidence, asOfMs, silence }: CustomerPicture,
  { timeZone }: { timeZone: string },
): string {
  const cutOff = silence === null ? "" : `${newerDataSentence(silence)} `;
  if (asOfMs === null) return `${cutOff}There’s no data to base this on yet.`;
  const isLimited =
    confidence !== "blind" && feeds.some(({ judgement }) => judgement.overlays.rateLimited);
  const cause = isLimited ? "Rate limiting is the only known cause." : "No cause is known.";
  return `${cutOff}Based on data as of ${absoluteTime(asOfMs, timeZone)}. ${cause}`;
}
