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
import { useJudge } from "@/components/drill-down/partner-rows";
import { headline } from "./words";

type About = { partnerName: string; rows: readonly SyncStatusRow[] };

/** What is wrong with a partner, and by how much, before anything else. */
export function Headline({ partnerName, rows }: About) {
  const { asOf, confidence, name: companyName } = useLiveCompany();
  const timeZone = useZone();
  const judge = useJudge();
  const said = useNow(
    (nowMs) => {
      const { judged } = judge(rows, nowMs);
      const asOfMs = instantMs(asOf);
      const isFrozen = confidence === "blind" && asOfMs !== null;
      const frozen = isFrozen ? { asOfMs, nowMs, timeZone } : null;
      const heading = partnerHeadline(partnerName, judged, frozen);
      const words = judged.map(({ word }) => word);
      const blindSince = isFrozen ? clockTime(asOfMs, timeZone) : null;
      return { ...heading, title: partnerTitle(partnerName, companyName, words, blindSince) };
    },
    (a, b) => JSON.stringify(a) === JSON.stringify(b),
  );
  useTabTitle(said.title);
  return (
    <>
      {said.before}
      {said.endpointKey === "" ? null : <span className="font-mono">{said.endpointKey}</span>}
      <Unbroken text={said.after} />
    </>
  );
}

/** Why the worst endpoint is judged so; empty while none is in trouble. */
export function HeadlineDetail({ partnerName, rows }: About) {
  const { asOf, confidence } = useLiveCompany();
  const timeZone = useZone();
  const judge = useJudge();
  const why = useNow((nowMs) => {
    if (confidence === "blind" && instantMs(asOf) !== null) return headline.frozen;
    const { judged, apiNowMs } = judge(rows, nowMs);
    const [worst] = worstFirst(judged);
    if (worst === undefined) return "";
    const { judgement, endpointKey } = worst;
    const sentence = { partnerName, endpointKey, judgement };
    return endpointSentence(sentence, { nowMs: apiNowMs, timeZone });
  });
  return (
    <p className="mt-0.5 min-h-[18px] text-ink-2">
      <Unbroken text={why} />
    </p>
  );
}
