"use client";

import { useLiveCompany } from "@/components/shell/live-company";
import { useTabTitle } from "@/components/shell/use-tab-title";
import { useZone } from "@/components/shell/time/zone";
import { Unbroken } from "@/components/ui/unbroken";
import { useNow } from "@/lib/client/use-now";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import { instantMs } from "@/lib/domain/time/instant";
import { partnerHeadline, worstFirst } from "@/lib/domain/words/partner-headline";
import { clockTime } from "@/lib/domain/words/format";
import { endpointSentence } from "@/lib/domain/words/sentences";
import { partnerTitle } from "@/components/drill-down/drill-title";
import { useJudge, type JudgedRow } from "@/components/drill-down/partner-rows";
import { headline } from "./words";

/** What is wrong with a partner, by how much and why, before anything else. */
export function Headline({
  partnerName,
  rows,
}: {
  partnerName: string;
  rows: readonly SyncStatusRow[];
}) {
  const { asOf, confidence, name: companyName } = useLiveCompany();
  const timeZone = useZone();
  const judge = useJudge();
  const said = useNow(
    (nowMs) => {
      const { judged, apiNowMs } = judge(rows, nowMs);
      const asOfMs = instantMs(asOf);
      const isFrozen = confidence === "blind" && asOfMs !== null;
      const frozen = isFrozen ? { asOfMs, nowMs, timeZone } : null;
      const heading = partnerHeadline(partnerName, judged, frozen);
      const words = judged.map(({ word }) => word);
      const blindSince = isFrozen ? clockTime(asOfMs, timeZone) : null;
      const title = partnerTitle(partnerName, companyName, words, blindSince);
      return { ...heading, why: detail(judged, apiNowMs, isFrozen), title };
    },
    (a, b) => JSON.stringify(a) === JSON.stringify(b),
  );
  useTabTitle(said.title);
  return (
    <div>
      <h1 className="page-title">
        {said.before}
        {said.endpointKey === "" ? null : <span className="font-mono">{said.endpointKey}</span>}
        <Unbroken text={said.after} />
      </h1>
      <p className="mt-0.5 min-h-[18px] text-ink-2">
        <Unbroken text={said.why} />
      </p>
    </div>
  );

  /** Why the worst endpoint is judged so; empty while none is in trouble. */
  function detail(judged: readonly JudgedRow[], nowMs: number, isFrozen: boolean): string {
    if (isFrozen) return headline.frozen;
    const [worst] = worstFirst(judged);
    if (worst === undefined) return "";
    const { judgement, endpointKey } = worst;
    return endpointSentence({ partnerName, endpointKey, judgement }, { nowMs, timeZone });
  }
}
