import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { useBoardTitle } from "@/components/shell/use-tab-title";
import { boardTitle } from "@/components/marks/board-title";
import { instantMs } from "@/lib/domain/time/instant";
import { clockTime } from "@/lib/domain/words/format";
import type { Board } from "@/components/grid/board";

/** The tab tells the number of problems, also when nobody looks at it. */
export function BoardTabTitle({ board }: { board: Board }) {
  const { name, confidence, asOf } = useLiveCompany();
  const timeZone = useZone();
  const asOfMs = instantMs(asOf);
  const since = confidence === "blind" && asOfMs !== null ? clockTime(asOfMs, timeZone) : null;
  useBoardTitle(boardTitle(name, board, since));
  return null;
}
