"use client";

import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { CopyButton } from "@/components/ui/copy-button";
import { ZoneButton } from "@/components/shell/time/zone-button";
import type { Param } from "@/lib/client/address-params";
import { useAddressParam } from "@/lib/client/use-address";
import { useNow } from "@/lib/client/use-now";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import { customerWords } from "@/lib/domain/words/customer/customer-words";
import { zoneNamed } from "@/lib/domain/time/present-zone";
import { instantMs } from "@/lib/domain/time/instant";
import { useJudge } from "./partner-rows";
import { tell } from "./words";

const zoneParam: Param<string> = { parse: zoneNamed, format: String, absent: null };

/** A paragraph to read out or paste, in the reader's time zone. */
export function TellCustomer({
  partnerName,
  rows,
}: {
  partnerName: string;
  rows: readonly SyncStatusRow[];
}) {
  const { asOf, confidence, silence } = useLiveCompany();
  const viewerZone = useZone();
  const [addressZone, setAddressZone] = useAddressParam("customer_tz", zoneParam);
  const timeZone = addressZone ?? viewerZone;
  const judge = useJudge();
  const words = useNow(
    (nowMs) => {
      const { judged, apiNowMs } = judge(rows, nowMs);
      const picture = { confidence, asOfMs: instantMs(asOf), silence };
      return customerWords(partnerName, judged, picture, { nowMs: apiNowMs, timeZone });
    },
    (a, b) => a.paragraph === b.paragraph && a.writtenFrom === b.writtenFrom,
  );
  return (
    <section className="panel" aria-labelledby="tell">
      <header>
        <h2 id="tell" tabIndex={-1}>
          {tell.heading}
        </h2>
      </header>
      <blockquote className="text-[14px] leading-[22px]">{words.paragraph}</blockquote>
      <p className="mt-2 mb-3 text-xs text-ink-3">{words.writtenFrom}</p>
      <div className="flex flex-wrap items-center gap-2">
        <CopyButton text={() => words.paragraph}>{tell.copy}</CopyButton>
        <span className="flex min-w-0 items-center gap-2 text-xs text-ink-2">
          <span aria-hidden="true" className="whitespace-nowrap">
            {tell.zone}
          </span>
          <ZoneButton
            label={tell.zone}
            value={timeZone}
            own={viewerZone}
            onChange={(zone) => setAddressZone(zone === viewerZone ? null : zone)}
            className="h-[30px] max-w-[150px] px-2 max-sm:h-11"
          />
        </span>
      </div>
    </section>
  );
}

/** Link to the paragraph, which may be far below. */
export function TellLink({ className = "" }: { className?: string }) {
  return (
    <a href="#tell" className={`button-link ${className}`}>
      {tell.heading}
    </a>
  );
}
