import type { LedgerHop } from "@/components/shell/ledger-hops";
import { useZone } from "@/components/shell/time/zone";
import { SOURCE_CACHE_TITLE, screenTitle } from "@/components/shell/words";
import { useNow } from "@/lib/client/use-now";
import type { CompanySummary } from "@/lib/contracts/dashboard";
import { absoluteTime } from "@/lib/domain/words/format";
import { fleetHops } from "./fleet";
import type { Fleet } from "./fleet-context";
import { fleetWords } from "./fleet-words";
import { sameHops, type Hop } from "./use-hops";

/** Without its partner data, which is of other partners. */
const withoutData = (company: CompanySummary): CompanySummary => ({
  ...company,
  partner_data: null,
});

/** Adds the details of each age. @param screenAt when this screen last got a response; null: not yet */
export function withFleetTitles(hops: readonly LedgerHop[], screenAt: string | null): Hop[] {
  const titles = [
    fleetWords.partnerDataTitle,
    SOURCE_CACHE_TITLE,
    fleetWords.lastCheckTitle,
    screenAt === null ? "" : screenTitle(screenAt),
  ];
  return hops.map((hop, place) => ({ ...hop, title: titles[place] ?? "" }));
}

/** Data ages of several companies, from the partners to the screen. */
export function useFleetHops({ companies, receivedMs, silence, isCounted }: Fleet): readonly Hop[] {
  const timeZone = useZone();
  return useNow((nowMs): readonly Hop[] => {
    const shown = isCounted ? companies : companies.map(withoutData);
    const screen = { receivedMs, isServerSilent: silence !== null };
    return withFleetTitles(fleetHops(shown, nowMs, screen), absoluteTime(receivedMs, timeZone));
  }, sameHops);
}
