import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLiveCompany } from "@/components/shell/live-company";
import { ApiError, statusOf } from "@/lib/client/api";
import { newKey } from "@/lib/client/change";
import { startDeletion } from "@/lib/client/queries/deletion";
import { deletionsQuery } from "@/lib/client/queries/deletions";
import { useServerClock } from "@/lib/client/use-now";
import type { DeletionRequest, DeletionView } from "@/lib/contracts/deletions";
import { useDeletionsPaused } from "./use-deletions-paused";

/** Continuations of reauthentication. */
export type Proof = { onProven: () => void; onBack: () => void };

/**
 * Sends one confirmation. The idempotency key lives as long as this hook, so a retry after a lost
 * response can't become a second deletion.
 * @param firstKey key of a confirmation that was sent before; null: a new one
 * @returns `refusedWith`: status of the last refusal, 0 without a response, null before any;
 *   `isPaused`: deletions are paused; `proof`: pending reauthentication, null: none; `key`: the
 *   idempotency key
 */
export function useStartDeletion(
  onStarted: (deletion: DeletionView) => void,
  firstKey: string | null = null,
) {
  const { slug: company } = useLiveCompany();
  const client = useQueryClient();
  const clock = useServerClock();
  const isPaused = useDeletionsPaused(true);
  const [key] = useState(() => firstKey ?? newKey());
  const [unproven, setUnproven] = useState<DeletionRequest | null>(null);
  const [state, setState] = useState<{ isSending: boolean; refusedWith: number | null }>({
    isSending: false,
    refusedWith: null,
  });
  const send = async (request: DeletionRequest) => {
    setState({ isSending: true, refusedWith: null });
    try {
      onStarted(await startDeletion({ client, company, clock }, request, key));
    } catch (error) {
      if (error instanceof ApiError && error.code === "reauthentication_required") {
        setUnproven(request);
        setState({ isSending: false, refusedWith: null });
        return;
      }
      setState({ isSending: false, refusedWith: await refusal(error) });
    }
  };
  /** Null when paused, which the page then shows for as long as it lasts. */
  const refusal = async (error: unknown): Promise<number | null> => {
    if (!(error instanceof ApiError) || error.code !== "paused") return statusOf(error);
    const { queryKey } = deletionsQuery(company);
    await client.refetchQueries({ queryKey });
    return (client.getQueryData(queryKey)?.paused ?? null) === null ? error.status : null;
  };
  const proof: Proof | null =
    unproven === null
      ? null
      : {
          onProven() {
            setUnproven(null);
            void send(unproven);
          },
          onBack: () => setUnproven(null),
        };
  return { ...state, isPaused, send, proof, key };
}
