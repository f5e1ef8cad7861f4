import { useEffect, useEffectEvent } from "react";
import { dropResumableDialog, findResumableDialog } from "@/lib/client/resumable-dialog";
import { readMe } from "@/lib/client/queries/me";

/**
 * Opens a dialog again that was kept while its person was at their provider, once the page is there.
 * @param isState what is kept in the browser may be of another version of the page
 */
export function useResumableDialog<T>(
  kind: string,
  isState: (state: unknown) => state is T,
  onBack: (state: T) => void,
): void {
  const open = useEffectEvent((state: unknown) => {
    if (isState(state)) onBack(state);
  });
  useEffect(() => {
    const storage = window.sessionStorage;
    const kept = findResumableDialog(storage, kind, { place: window.location, nowMs: Date.now() });
    if (kept === null) return;
    const leaving = new AbortController();
    const openAgain = async () => {
      const { person } = await readMe(leaving.signal);
      if (leaving.signal.aborted) return;
      dropResumableDialog(storage);
      if (person.id === kept.personId) open(kept.state);
    };
    // Whoever it is can ask for it again.
    openAgain().catch(() => {});
    return () => leaving.abort();
  }, [kind]);
}
