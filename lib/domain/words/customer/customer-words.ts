import { nextSentences } from "./next-sentences";
import { promiseSentences } from "./promise-sentences";
import { seenSentences } from "./seen-sentences";
import {
  blindCompanySentences,
  blindSentences,
  STILL_CHECKING,
  type LastSeen,
} from "./blind-sentences";
import { companySentences } from "./company-sentences";
import { inState, type CustomerFeed, type CustomerPartner } from "./feeds";
import { type ReadingClock, createReadingClock } from "./reading-clock";
import type { Confidence } from "@/lib/domain/sync";
import { absoluteTime } from "@/lib/domain/words/format";
import { knownCauseText } from "@/lib/domain/words/known-cause";
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
  /** Nothing is checked until an administrator acts; default: false. */
  isResting?: boolean;
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
 * @param total number of the partner's feeds, if `feeds` are only some of them; nothing is claimed of the others
 */
export function customerWords(
  partnerName: string,
  feeds: readonly CustomerFeed[],
  picture: CustomerPicture,
  when: { nowMs: number; timeZone: string },
  total = feeds.length,
): CustomerWords {
  const clock = createReadingClock(when);
  return {
    paragraph: paragraphOf(partnerName, picture, clock, {
      seen: () => [
        ...seenSentences(partnerName, feeds, clock, total),
        ...promiseSentences(feeds, clock),
        ...nextSentences(feeds, clock),
      ],
      blind: (last) => [
        ...blindSentences(partnerName, feeds, last, clock, total),
        ...promiseSentences(feeds, clock, true),
      ],
    }),
    writtenFrom: writtenFrom(feeds, picture, when),
  };
}

/**
 * One paragraph about all feeds of a customer.
 * @param partners at least one
 * @param when `timeZone`: the customer's time zone, an IANA name
 */
export function companyWords(
  partners: readonly CustomerPartner[],
  picture: CustomerPicture,
  when: { nowMs: number; timeZone: string },
): CustomerWords {
  const clock = createReadingClock(when);
  return {
    paragraph: paragraphOf("your feeds", picture, clock, {
      seen: () => companySentences(partners, clock),
      blind: (last) => [
        ...blindCompanySentences(partners, last, clock),
        ...promiseSentences(
          partners.flatMap(({ feeds }) => feeds),
          clock,
          true,
        ),
      ],
    }),
    writtenFrom: writtenFrom(
      partners.flatMap(({ feeds }) => feeds),
      picture,
      when,
    ),
  };
}

function paragraphOf(
  subject: string,
  { asOfMs, confidence, silence, isResting = false }: CustomerPicture,
  clock: ReadingClock,
  sentences: { seen: () => string[]; blind: (last: LastSeen) => string[] },
): string {
  // This browser doesn't know what Plumbline has seen since, so it can't claim that checks failed.
  const isCutOff = silence !== null;
  const isChecking = !isCutOff && !isResting;
  return all()
    .filter((sentence) => sentence !== "")
    .join(" ");

  // In reading order: the first time mentioned names the zone.
  function all(): string[] {
    if (asOfMs === null)
      return isCutOff
        ? [`We don’t have any information about ${subject} yet.`]
        : [`We haven’t been able to check ${subject} yet.`, isChecking ? STILL_CHECKING : ""];
    if (confidence === "blind") return sentences.blind({ asOfMs, isCutOff, isChecking });
    return [
      ...sentences.seen(),
      confidence === "delayed" ? `All of this is as of ${clock.at(asOfMs)}.` : "",
    ];
  }
}

function writtenFrom(
  feeds: readonly CustomerFeed[],
  { confidence, asOfMs, silence }: CustomerPicture,
  { timeZone }: { timeZone: string },
): string {
  const cutOff = silence === null ? "" : `${newerDataSentence(silence)} `;
  if (asOfMs === null) return `${cutOff}There’s no data to base this on yet.`;
  const behind = inState(feeds, "behind");
  const explained = behind.length > 0 ? behind : inState(feeds, "unknown");
  const isLimited =
    confidence !== "blind" && explained.some(({ judgement }) => judgement.overlays.rateLimited);
  const cause = behind.length > 0 || isLimited ? ` ${knownCauseText(isLimited)}` : "";
  return `${cutOff}Based on data as of ${absoluteTime(asOfMs, timeZone)}.${cause}`;
}
