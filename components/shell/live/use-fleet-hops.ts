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

/** Data ages of several companies, from the partners to the screen. */
export function useFleetHops({ companies, receivedMs, silence, isCounted }: Fleet): readonly Hop[] {
  const timeZone = useZone();
  return useNow((nowMs): readonly Hop[] => {
    const titles = [
      fleetWords.partnerDataTitle,
      SOURCE_CACHE_TITLE,
      fleetWords.lastCheckTitle,
      screenTitle(absoluteTime(receivedMs, timeZone)),
    ];
    const shown = isCounted ? companies : companies.map(withoutData);
    const screen = { receivedMs, isServerSilent: silence !== null };
    return fleetHops(shown, nowMs, screen).map((hop, place) => ({
      ...hop,
      title: titles[place] ?? "",
    }));
  }, sameHops);
}
