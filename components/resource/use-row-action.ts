import { useState } from "react";
import { useServerClock } from "@/lib/client/use-now";

/** `sinceMs`: epoch milliseconds on the server's clock. */
type RowAction = { state: "running"; sinceMs: number } | { state: "done"; text: string };

/**
 * An action on rows of a list that takes a while, and what came of it in each row.
 * @returns `run` does nothing while the row's own is running; `said`: the latest for assistive technology
 */
export function useRowAction() {
  const clock = useServerClock();
  const [all, setAll] = useState<ReadonlyMap<string, RowAction>>(new Map());
  const [said, setSaid] = useState("");
  const set = (id: string, action: RowAction) =>
    setAll((before) => new Map(before).set(id, action));
  /**
   * @param running said at its start
   * @param act resolves to what came of it; empty: nothing to show
   * @param sayAs what is said of that, for assistive technology that doesn't see the row
   */
  const run = async (
    id: string,
    running: string,
    act: () => Promise<string>,
    sayAs: (text: string) => string = String,
  ) => {
    if (all.get(id)?.state === "running") return;
    set(id, { state: "running", sinceMs: clock.nowMs() });
    setSaid(running);
    const text = await act();
    set(id, { state: "done", text });
    setSaid(sayAs(text));
  };
  return {
    run,
    said,
    runningSince: (id: string): number | null => {
      const action = all.get(id);
      return action?.state === "running" ? action.sinceMs : null;
    },
    resultOf: (id: string): string | null => {
      const action = all.get(id);
      return action?.state === "done" && action.text !== "" ? action.text : null;
    },
  };
}
