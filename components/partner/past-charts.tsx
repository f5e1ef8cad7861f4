import { Calls } from "@/components/drill-down/calls";
import { OnTimeDays } from "@/components/drill-down/on-time-days";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import { Freshness } from "./freshness";

/** The past of a partner. `rows`: in the table's order. Default export for `lazyOnView`. */
export default function PastCharts({
  partnerName,
  rows,
}: {
  partnerName: string;
  rows: readonly SyncStatusRow[];
}) {
  return (
    <>
      <Freshness partnerName={partnerName} rows={rows} />
      <Calls partnerName={partnerName} />
      <OnTimeDays
        of={{ partner: partnerName }}
        subject={partnerName}
        statuses={rows.map(({ status }) => status)}
      />
    </>
  );
}
