import { useLiveCompany } from "@/components/shell/live-company";
import { ledgerHops, type LedgerHop } from "@/components/shell/ledger-hops";
import { useZone } from "@/components/shell/time/zone";
import {
  SOURCE_CACHE_TITLE,
  lastCheckTitle,
  partnerDataTitle,
  screenTitle,
} from "@/components/shell/words";
import { useNow } from "@/lib/client/use-now";
import { freshnessLedger } from "@/lib/domain/ledger";
import { instantMs } from "@/lib/domain/time/instant";
import { absoluteTime } from "@/lib/domain/words/format";

/** A hop with the details of its age. */
export type Hop = LedgerHop & { title: string };

/** Whether both render alike. */
export const sameHops = (a: readonly Hop[], b: readonly Hop[]) =>
  a.every(({ text, title, isBad }, at) => {
    const other = b[at];
    return text === other?.text && title === other.title && isBad === other.isBad;
  });

/** Data ages of what the page is about, from the partner to the screen. */
export function useHops(): readonly Hop[] {
  const { ledgerRows, source, lastResponseMs, isServerSilent, confidence } = useLiveCompany();
  const timeZone = useZone();
  return useNow((nowMs): readonly Hop[] => {
    const lastSuccessMs = instantMs(source.last_success_at);
    const apiNowMs = nowMs + source.api_clock_offset_ms;
    const ledger = freshnessLedger(
      ledgerRows,
      { nowMs, apiNowMs, lastSuccessMs, lastResponseMs },
      source.rhythm_seconds,
    );
    const { partnerData, snapshot } = ledger;
    const at = (ms: number) => absoluteTime(ms, timeZone);
    const titles = [
      partnerData === null
        ? ""
        : partnerDataTitle(
            at(apiNowMs - partnerData.youngestMs),
            at(apiNowMs - partnerData.oldestMs),
          ),
      SOURCE_CACHE_TITLE,
      snapshot === null ? "" : lastCheckTitle(at(snapshot.asOfMs)),
      screenTitle(at(lastResponseMs)),
    ];
    const { reason, recording_stopped: stopped = null } = source;
    const given = { confidence, reason, isServerSilent, isRecording: stopped === null };
    return ledgerHops(ledger, given).map((hop, place) => ({ ...hop, title: titles[place] ?? "" }));
  }, sameHops);
}
