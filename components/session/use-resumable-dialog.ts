import { useEffect, useEffectEvent } from "react";
import { dropResumableDialog, findResumableDialog } from "@/lib/client/resumable-dialog";
import { readMe } from "@/lib/client/queries/me";

/**
 * Reopens the dialog that was stored before a redirect to the identity provider, for the same person only.
 * @param isState validates the stored state, which another version of the page may have written
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
    // The person can reopen the dialog.
    openAgain().catch(() => {});
    return () => leaving.abort();
  }, [kind]);
}
