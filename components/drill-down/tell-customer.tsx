"use client";

import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import type { Param } from "@/lib/client/address/address-params";
import { useAddressParam } from "@/lib/client/address/use-address";
import { useNow } from "@/lib/client/use-now";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import {
  customerWords,
  type CustomerPicture,
  type CustomerWords,
} from "@/lib/domain/words/customer/customer-words";
import { isResting } from "@/lib/domain/sync";
import { zoneNamed } from "@/lib/domain/time/present-zone";
import { instantMs } from "@/lib/domain/time/instant";
import { useJudge, type JudgedRow } from "./partner-rows";
import { tell } from "./words";

/** Feeds of one partner. */
export type Told = { partnerName: string; rows: readonly SyncStatusRow[] };

const zoneParam: Param<string> = { parse: zoneNamed, format: String, absent: null };

/** The time zone of the customer's paragraph: the reader's own, unless the address has another. */
export function useCustomerZone() {
  const viewerZone = useZone();
  const [addressZone, setAddressZone] = useAddressParam("customer_tz", zoneParam);
  return { viewerZone, timeZone: addressZone ?? viewerZone, setAddressZone };
}

/**
 * A paragraph about rows, as of now.
 * @param write writes it about the judged rows
 */
export function useCustomerWords(
  rows: readonly SyncStatusRow[],
  timeZone: string,
  write: (
    judged: readonly JudgedRow[],
    picture: CustomerPicture,
    when: { nowMs: number; timeZone: string },
  ) => CustomerWords,
): CustomerWords {
  const { asOf, confidence, silence, source } = useLiveCompany();
  const judge = useJudge();
  return useNow(
    (nowMs) => {
      const { judged, apiNowMs } = judge(rows, nowMs);
      const seenMs = instantMs(asOf);
      const asOfMs = seenMs === null ? null : seenMs + source.api_clock_offset_ms;
      const picture = { confidence, asOfMs, silence, isResting: isResting(source.reason) };
      return write(judged, picture, { nowMs: apiNowMs, timeZone });
    },
    (a, b) => a.paragraph === b.paragraph && a.writtenFrom === b.writtenFrom,
  );
}

/** What to tell the customer about feeds of one partner, to read; *Share* copies it. */
export function TellCustomer({ partnerName, rows }: Told) {
  const { timeZone } = useCustomerZone();
  const words = useCustomerWords(rows, timeZone, (...judged) =>
    customerWords(partnerName, ...judged),
  );
  return (
    <section className="panel" aria-labelledby="tell">
      <header>
        <h2 id="tell" tabIndex={-1}>
          {tell.heading}
        </h2>
      </header>
      <blockquote className="text-[14px] leading-[22px]">{words.paragraph}</blockquote>
      <p className="mt-2 text-xs text-ink-3">{words.writtenFrom}</p>
    </section>
  );
}
