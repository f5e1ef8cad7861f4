"use client";

import {
  useCustomerWords,
  useCustomerZone,
  type Told,
} from "@/components/drill-down/tell-customer";
import { tell } from "@/components/drill-down/words";
import { ZoneButton } from "@/components/shell/time/zone-button";
import { CopyButton } from "@/components/ui/copy-button";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import { groupBy } from "@/lib/domain/collections/group-by";
import {
  companyWords,
  customerWords,
  type CustomerWords,
} from "@/lib/domain/words/customer/customer-words";
import { ShortcutKey } from "./shortcut-key";

/** What to tell the customer about feeds of one partner, to copy. */
export function TellPartner({ partnerName, rows }: Told) {
  const zone = useCustomerZone();
  const words = useCustomerWords(rows, zone.timeZone, (...judged) =>
    customerWords(partnerName, ...judged),
  );
  return <Paragraph words={words} {...zone} />;
}

/** What to tell the customer about all of their feeds, to copy. @param rows all of the company, at least one */
export function TellCompany({ rows }: { rows: readonly SyncStatusRow[] }) {
  const zone = useCustomerZone();
  const words = useCustomerWords(rows, zone.timeZone, (judged, ...given) => {
    const partners = groupBy(judged, ({ row }) => row.partner_name);
    return companyWords(
      [...partners].map(([partnerName, feeds]) => ({ partnerName, feeds })),
      ...given,
    );
  });
  return <Paragraph words={words} {...zone} />;
}

function Paragraph({
  words,
  viewerZone,
  timeZone,
  setAddressZone,
}: { words: CustomerWords } & ReturnType<typeof useCustomerZone>) {
  return (
    <>
      <blockquote className="mt-2 bg-sunken px-2.5 py-2">
        {words.paragraph}
        <small className="mt-1 block text-xs text-ink-3">{words.writtenFrom}</small>
      </blockquote>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <CopyButton shortcut="t" text={() => words.paragraph}>
          {tell.copy}
        </CopyButton>
        <ZoneButton
          label={tell.zone}
          value={timeZone}
          own={viewerZone}
          onChange={(zone) => setAddressZone(zone === viewerZone ? null : zone)}
          className="h-[30px] max-w-[150px] px-2 max-sm:h-11"
        />
        <ShortcutKey>T</ShortcutKey>
      </div>
    </>
  );
}
