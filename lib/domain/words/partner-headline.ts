import type { Verdict } from "@/lib/domain/sync";
import { compareVerdicts, tally, type Judgement } from "@/lib/domain/verdict";
import { duration } from "./format";
import { atMoment } from "./dates";
import { capital } from "@/lib/domain/text/capital";

/** An endpoint as needed for the headline; `word` is the snapshot's verdict when blind. */
export type HeadlineEndpoint = {
  endpointKey: string;
  word: Verdict;
  judgement: { terms: Pick<Judgement["terms"], "ageMs" | "latenessMs"> };
};

/** One sentence in three parts, so that the endpoint's name can have its own typeface. */
export type Headline = {
  before: string;
  /** The endpoint that it names; empty for none. */
  endpointKey: string;
  after: string;
};

const NEEDS_ATTENTION: ReadonlySet<Verdict> = new Set(["failing", "stale", "late"]);

/** The endpoints that need attention, worst first: by verdict, then the most overdue, then by name. */
export function worstFirst<T extends HeadlineEndpoint>(endpoints: readonly T[]): T[] {
  return endpoints
    .filter(({ word }) => NEEDS_ATTENTION.has(word))
    .toSorted(
      (a, b) =>
        compareVerdicts(a.word, b.word) ||
        (b.judgement.terms.latenessMs ?? -1) - (a.judgement.terms.latenessMs ?? -1) ||
        (a.endpointKey < b.endpointKey ? -1 : 1),
    );
}

/**
 * "3 of 9 Procore feeds are late; the worst is daily_logs, 2 h 10 m old".
 * @param endpoints of one partner; at least one
 * @param frozen the snapshot's time when blind: the sentence is then in the past tense
 */
export function partnerHeadline(
  partnerName: string,
  endpoints: readonly HeadlineEndpoint[],
  frozen: { asOfMs: number; nowMs: number; timeZone: string } | null,
): Headline {
  const total = endpoints.length;
  const noun = total === 1 ? "feed" : "feeds";
  const since =
    frozen === null ? "" : `${capital(atMoment(frozen.asOfMs, frozen.nowMs, frozen.timeZone))}, `;
  const be = (howMany: number) =>
    frozen === null ? (howMany === 1 ? "is" : "are") : howMany === 1 ? "was" : "were";
  const worst = worstFirst(endpoints);
  const [first] = worst;
  if (first === undefined) {
    const lead = quietLead();
    const before = since === "" ? lead : since + lead.charAt(0).toLowerCase() + lead.slice(1);
    return { before, endpointKey: "", after: "" };
  }

  const words = new Set(worst.map(({ word }) => word));
  const are = words.size === 1 ? `${be(worst.length)} ${first.word}` : attention();
  const many = `${worst.length} of ${total} ${partnerName} ${noun} ${are}`;
  const { ageMs } = first.judgement.terms;
  return {
    before: `${since}${many}${worst.length === 1 ? ": " : `; the worst ${be(1)} `}`,
    endpointKey: first.endpointKey,
    // The current age is unknown when blind.
    after: ageMs === null || frozen !== null ? "" : `, ${duration(ageMs)} old`,
  };

  function attention(): string {
    if (frozen !== null) return "needed attention";
    return worst.length === 1 ? "needs attention" : "need attention";
  }

  function quietLead(): string {
    const counts = tally(endpoints.map(({ word }) => word));
    const onTime = counts.fresh + counts.due;
    const all =
      total === 1
        ? `The only ${partnerName} ${noun}`
        : `${total === 2 ? "Both" : `All ${total}`} ${partnerName} ${noun}`;
    // Due endpoints count as on time but are slightly overdue.
    const due =
      counts.due === 0
        ? ""
        : `; ${frozen === null ? `${counts.due} due now` : `${counts.due} ${be(counts.due)} due`}`;
    if (counts.paused === total) return `${all} ${be(total)} paused`;
    if (counts.webhook === total) return `${all} ${be(total)} updated by webhook`;
    if (onTime === total) return `${all} ${be(total)} on time${due}`;
    if (counts.unknown > 0)
      return `${counts.unknown} of ${total} ${partnerName} ${noun} ${be(counts.unknown)} unknown; none ${be(1)} known to be behind`;
    if (onTime === 0) return `No ${partnerName} feed ${be(1)} scheduled`;
    return `Every scheduled ${partnerName} feed ${be(1)} on time${due}`;
  }
}
