import type { Evidence, OwnerOfTrouble, RunsSince } from "@/lib/domain/partners/theirs-or-ours";
import { allOf, count } from "@/lib/domain/words/format";

/**
 * A piece of evidence as a sentence.
 * @param names.partner as shown; `host`: scheme, name and port of the API that evidence of kind `host` is about;
 *   `runsSince`: since when runs were counted; `isPast`: it is about an earlier moment
 */
export function evidenceText(
  { kind, hit, of }: Evidence,
  {
    partner,
    host,
    runsSince,
    isPast,
  }: { partner: string; host: string | null; runsSince: RunsSince; isPast: boolean },
): string {
  const is = isPast ? "was" : "is";
  const has = isPast ? "had" : of === 1 ? "has" : "have";
  const some = `${count(hit)} of ${count(of)}`;
  switch (kind) {
    case "companies":
      if (of === 0) return `No customer ${isPast ? "had" : "has"} an active ${partner} feed.`;
      return hit === 0
        ? `${partner} ${is}n’t known to be behind at ${of === 1 ? "your only customer" : `any of the ${count(of)} customers`} that ${has} it.`
        : `${partner} ${is} behind at ${share(hit, of)} that ${has} it.`;
    case "unseen":
      return `We ${isPast ? "couldn’t" : "can’t"} see ${share(hit, of)} that ${has} it.`;
    case "limited":
      return hit === of
        ? `${of === 1 ? "The last sync of the only feed behind" : `The last syncs of ${allOf(of)} feeds behind`} reached ${partner}’s request limit.`
        : `The last syncs of ${some} feeds behind reached ${partner}’s request limit.`;
    case "host":
      return `At ${share(hit, of)} behind on ${host ?? "one API"}, other partners ${isPast ? "had" : "have"} needed attention since about the same time.`;
    case "own_runs":
      return `Where ${partner} ${is} behind, ${some} of its syncs completed ${RUNS_SINCE[runsSince]}.`;
    case "other_runs":
      return `Where ${partner} ${is} behind, ${some} syncs of other partners completed ${RUNS_SINCE[runsSince]}.`;
  }
}

const RUNS_SINCE: Readonly<Record<RunsSince, string>> = {
  trouble: "since it fell behind",
  a_day: "in the past 24 h",
  mixed: "since it fell behind, counting 24 h at most",
};

const share = (hit: number, of: number) =>
  of === 1 ? "your only customer" : `${count(hit)} of the ${count(of)} customers`;

/**
 * Whose trouble it is, in one sentence that claims no more than the evidence.
 * @param counts.behind number of customers where the partner is behind
 * @param counts.quiet number of further ones where only feeds in a planned quiet time are
 * @param isPast it is about an earlier moment
 */
export function ownerOfTroubleText(
  code: OwnerOfTrouble,
  partner: string,
  { behind, quiet }: { behind: number; quiet: number },
  isPast: boolean,
): string {
  switch (code) {
    case "we_are_blind":
      return `We can’t tell: we ${isPast ? "couldn’t" : "can’t"} see enough customers.`;
    case "limited":
      return `${partner} limits how many requests we can make.`;
    case "host":
      return `It may ${isPast ? "have been" : "be"} an API that these customers share, rather than ${partner}.`;
    case "theirs":
      return `The evidence points to ${partner}.`;
    case "one_company":
      return isPast
        ? "Only one customer was behind, so it may have been that customer’s connection."
        : "Only one customer is behind, so it may be that customer’s connection.";
    case "cant_tell":
      if (behind > 0) return "We can’t tell.";
      return `Nothing${quiet > 0 ? " outside of planned quiet" : ""} ${isPast ? "was" : "is"} known to be behind.`;
  }
}
