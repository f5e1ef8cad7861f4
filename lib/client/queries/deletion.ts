import { queryOptions, type QueryClient } from "@tanstack/react-query";
import type { DeletionRequest, DeletionsView, DeletionView } from "@/lib/contracts/deletions";
import { get, type ApiResponse } from "@/lib/client/api";
import { post } from "@/lib/client/change";
import type { ServerClock } from "@/lib/client/clock";
import { isRecord } from "@/lib/client/snapshot";
import { resume } from "@/lib/client/resume";
import { deletionsPath, deletionsQuery, isOpen, OPEN_EVERY_MS } from "./deletions";

/** While it is displayed; otherwise as often as the list. */
const WATCHED_EVERY_MS = 1000;
/** The server starts at the end of the ten seconds and needs a moment. */
const SETTLE_MS = 300;

/**
 * A deletion as returned by the server. `aheadMs`: the server's clock minus ours at that response, because within ten
 * seconds a difference would be noticeable.
 */
export type DeletionAnswer = { view: DeletionView; aheadMs: number };

type DeletionSummary = DeletionsView["deletions"][number];

/**
 * One deletion, refetched until it can't change any more.
 * @param isWatched whether the person is waiting for the next step
 */
export const deletionQuery = (
  company: string,
  id: string,
  { clock, isWatched }: { clock: ServerClock; isWatched: boolean },
) =>
  queryOptions({
    queryKey: ["companies", company, "deletion", id],
    queryFn: async ({ signal }) =>
      answered(await get(deletionsPath(company, id), isDeletionView, signal), clock),
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state }) => {
      if (state.data === undefined) return OPEN_EVERY_MS;
      const { view } = state.data;
      if (!isOpen(view)) return false;
      const everyMs = isWatched ? WATCHED_EVERY_MS : OPEN_EVERY_MS;
      // Before the ten seconds are over, only an undo can change it.
      if (view.state !== "waiting") return everyMs;
      return Math.min(
        OPEN_EVERY_MS,
        Math.max(everyMs, undoLeftMs(state.data, clock.nowMs()) + SETTLE_MS),
      );
    },
  });

/** How long a deletion can still be undone; 0 if it is too late. @param nowMs on our clock */
export function undoLeftMs({ view, aheadMs }: DeletionAnswer, nowMs: number): number {
  return Math.max(0, Date.parse(view.undo_until) - (nowMs + aheadMs));
}

/**
 * Requests a deletion of files; the response is cached for the page immediately.
 * @param key a UUID, the same for each retry of one confirmation
 * @throws ApiError; with status 0 it may still have started
 */
export async function startDeletion(
  { client, company, clock }: { client: QueryClient; company: string; clock: ServerClock },
  request: DeletionRequest,
  key: string,
): Promise<DeletionView> {
  try {
    const answer = answered(
      await post(deletionsPath(company), request, isDeletionView, key),
      clock,
    );
    put(client, company, answer);
    return answer.view;
  } finally {
    void client.invalidateQueries({ queryKey: deletionsQuery(company).queryKey });
  }
}

/**
 * Undoes a waiting deletion, or stops a running one after the current file.
 * @throws ApiError; 409 if it is too late
 */
export async function endDeletion(
  { client, company, clock }: { client: QueryClient; company: string; clock: ServerClock },
  id: string,
  how: "undo" | "stop",
): Promise<void> {
  try {
    const path = `${deletionsPath(company, id)}/${how}`;
    put(client, company, answered(await post(path, {}, isDeletionView), clock));
  } catch (error) {
    // Show the actual state.
    void client.invalidateQueries({ queryKey: ["companies", company, "deletion", id] });
    throw error;
  }
}

/**
 * Resumes paused deletions, for all companies.
 * @throws ApiError; with status 0 it may still have succeeded
 */
export async function resumeDeletions(client: QueryClient, company: string): Promise<void> {
  try {
    await resume("deletions");
  } finally {
    await client.invalidateQueries({ queryKey: deletionsQuery(company).queryKey });
  }
}

/** The address of the CSV download of a deletion's outcomes. */
export function deletionCsvPath(company: string, id: string): string {
  return `/api${deletionsPath(company, id)}/csv`;
}

function put(client: QueryClient, company: string, answer: DeletionAnswer) {
  const { items, ...view } = answer.view;
  client.setQueryData(["companies", company, "deletion", view.id], answer);
  client.setQueryData(deletionsQuery(company).queryKey, (known): DeletionsView => {
    const [first, second] = items;
    const summary: DeletionSummary = {
      ...view,
      files: items.length,
      settled: items.filter(({ outcome }) => outcome !== null && outcome !== "unknown").length,
      name: second === undefined ? (first?.name ?? null) : null,
      is_own: known?.deletions.find(({ id }) => id === view.id)?.is_own ?? true,
    };
    const others = known?.deletions.filter(({ id }) => id !== view.id) ?? [];
    return { deletions: [summary, ...others], paused: known?.paused ?? null };
  });
}

function answered(
  { value, serverTime }: ApiResponse<DeletionView>,
  clock: ServerClock,
): DeletionAnswer {
  clock.anchor(serverTime);
  if (serverTime === null) return { view: value, aheadMs: 0 };
  const { earliestMs, latestMs } = serverTime;
  return { view: value, aheadMs: (earliestMs + latestMs) / 2 - clock.nowMs() };
}

function isDeletionView(body: unknown): body is DeletionView {
  return isRecord(body) && typeof body["undo_until"] === "string" && Array.isArray(body["items"]);
}
