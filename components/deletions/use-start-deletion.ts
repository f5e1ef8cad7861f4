import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLiveCompany } from "@/components/shell/live-company";
import { ApiError, statusOf } from "@/lib/client/api";
import { startDeletion } from "@/lib/client/queries/deletion";
import { deletionsQuery } from "@/lib/client/queries/deletions";
import { useServerClock } from "@/lib/client/use-now";
import type { DeletionRequest, DeletionView } from "@/lib/contracts/deletions";
import { useDeletionsPaused } from "./use-deletions-paused";

/** What comes of it when somebody proves who they are, or doesn't. */
export type Proof = { onProven: () => void; onBack: () => void };

/**
 * Sends one confirmation. Sent again it is the same one: its key stays for as long as this hook does, so
 * an answer that was lost cannot become a second deletion.
 * @param firstKey that of a confirmation which was sent before; null: this one is new
 * @returns `refusedWith`: the status of the last refusal, 0 when no answer came, null before any; `isPaused`:
 *   nothing would begin now, until an administrator lets deletions go on; `proof`: it waits for its person to prove
 *   who they are, null: it doesn't; `key`: what it is sent under
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
  /** Null: it is paused, which the page knows by then and says for as long as it is so. */
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

/** A random UUID, version 4. Pages over plain http on another host lack `randomUUID`. */
function newKey(): string {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte, at) => {
    const marked = at === 6 ? (byte & 0x0f) | 0x40 : at === 8 ? (byte & 0x3f) | 0x80 : byte;
    return marked.toString(16).padStart(2, "0");
  });
  return hex.join("").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
