import type { EventDetail } from "./event-detail";
import type { Trouble } from "./incident";

/** An event of an incident's timeline; instants are epoch milliseconds. */
export type VerdictEvent = {
  atMs: number;
  kind: string;
  endpointId: string | null;
  detail: EventDetail;
};

/**
 * The verdict of an incident over time: the worst of its endpoints, from each instant until the next.
 * @param beganMs start of its first trouble; the first verdict is dated from then
 * @returns ascending; verdict null: no endpoint was in trouble, before the incident ended
 */
export function verdictChanges(
  events: readonly VerdictEvent[],
  beganMs: number,
): { atMs: number; verdict: Trouble | null }[] {
  const found: { atMs: number; verdict: Trouble | null }[] = [];
  const inTrouble = new Set<string>();
  const say = (atMs: number, verdict: Trouble | null) => {
    const last = found.at(-1);
    if (last?.verdict === verdict) return;
    // Events at the same instant are one change.
    if (last !== undefined && last.atMs >= atMs) found.pop();
    const before = found.at(-1);
    if (before?.verdict !== verdict)
      found.push({ atMs: found.length === 0 ? beganMs : Math.max(atMs, beganMs), verdict });
  };
  for (const { atMs, kind, endpointId, detail } of events) {
    const changes =
      kind === "seen_again" ? (detail.changes ?? []) : [{ kind, endpointId, ...detail }];
    for (const change of changes) {
      const id = "endpointId" in change ? change.endpointId : null;
      const to = "to" in change ? change.to : undefined;
      if (change.kind === "left" && id !== null) inTrouble.delete(id);
      if (["opened", "joined", "flapped"].includes(change.kind) && id !== null) inTrouble.add(id);
      if (change.kind === "left" && inTrouble.size === 0) say(atMs, null);
      if (change.kind !== "left" && change.kind !== "joined" && to !== undefined) say(atMs, to);
    }
  }
  return found;
}
