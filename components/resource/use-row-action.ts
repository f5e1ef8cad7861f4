import { useState } from "react";
import { useServerClock } from "@/lib/client/use-now";

/** `sinceMs`: epoch milliseconds on the server's clock. */
type RowAction = { state: "running"; sinceMs: number } | { state: "done"; text: string };

/**
 * A slow action on rows of a list, and its outcome for each row.
 * @returns `run` does nothing while the row's action is running; `said`: live region text
 */
export function useRowAction() {
  const clock = useServerClock();
  const [all, setAll] = useState<ReadonlyMap<string, RowAction>>(new Map());
  const [said, setSaid] = useState("");
  const set = (id: string, action: RowAction) =>
    setAll((before) => new Map(before).set(id, action));
  /**
   * @param running live region text at the start
   * @param act resolves to the outcome; empty: not shown
   * @param sayAs live region text of the outcome
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
