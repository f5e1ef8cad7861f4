import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { useBoardTitle } from "@/components/shell/use-tab-title";
import { boardTitle } from "@/components/marks/board-title";
import { instantMs } from "@/lib/domain/time/instant";
import { clockTime } from "@/lib/domain/words/format";
import type { Board } from "@/components/grid/board";

/** The tab title shows the number of problems, also in the background. */
export function BoardTabTitle({ board }: { board: Board }) {
  const { name, confidence, asOf } = useLiveCompany();
  const timeZone = useZone();
  const asOfMs = instantMs(asOf);
  const since = confidence === "blind" && asOfMs !== null ? clockTime(asOfMs, timeZone) : null;
  useBoardTitle(boardTitle(name, board, since));
  return null;
}
