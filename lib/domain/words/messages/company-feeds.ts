import { judge, type SnapshotRow } from "@/lib/domain/judge";
import { MINUTE_MS } from "@/lib/domain/time/units";
import type { Judgement } from "@/lib/domain/verdict";
import { customerWords } from "@/lib/domain/words/customer/customer-words";
import type { CustomerFeed } from "@/lib/domain/words/customer/feeds";
import { worstFirst } from "@/lib/domain/words/partner-headline";

/** Feeds of a company's partners as of its last check, on the API's clock. */
export type CompanyFeeds = {
  checkedMs: number;
  rows: readonly (SnapshotRow & Pick<CustomerFeed, "promise">)[];
};

/** A partner's feeds as they were judged at the last check, by endpoint id. */
export function feedsOf(
  { checkedMs, rows }: CompanyFeeds,
  partner: string,
): ReadonlyMap<string, Judgement> {
  return new Map(
    rows
      .filter((row) => row.partner_name === partner)
      .map((row) => [row.id, judge(row, { atMs: checkedMs, isFrozen: false })]),
  );
}

/** Older figures are dated in the paragraph. */
const LIVE_MS = 3 * MINUTE_MS;

/**
 * What to tell the customer about a partner.
 * @param judgements see `feedsOf`; at least one
 * @param when.timeZone the customer's, an IANA name
 */
export function paragraphOf(
  { checkedMs, rows }: CompanyFeeds,
  partner: string,
  judgements: ReadonlyMap<string, Judgement>,
  { nowMs, timeZone }: { nowMs: number; timeZone: string },
): string {
  const judged = rows.flatMap(({ id, endpoint_key: endpointKey, promise }) => {
    const judgement = judgements.get(id);
    return judgement === undefined
      ? []
      : [{ endpointKey, judgement, word: judgement.word, promise }];
  });
  const worst = worstFirst(judged);
  return customerWords(
    partner,
    [...worst, ...judged.filter((one) => !worst.includes(one))],
    {
      confidence: nowMs - checkedMs <= LIVE_MS ? "live" : "delayed",
      asOfMs: checkedMs,
      silence: null,
    },
    { nowMs: checkedMs, timeZone },
  ).paragraph;
}
