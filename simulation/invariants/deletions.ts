import { calmMs, RECOVERED_MS } from "../faults";
import { Broken, type Scene } from "../simulation";
import { createRestoreWatch } from "./restore-watch";

type Item = {
  company: string;
  file_id: string;
  deletion_id: string;
  sent_at: string | null;
  sent_ms: string | null;
  outcome: string | null;
  state: string;
};

/** What was answered so did nothing, and its intent is withdrawn. */
const REFUSED: ReadonlySet<number> = new Set([401, 403, 429]);

/** I4: no file is deleted without a written intent, nor twice, and every intent has one outcome that stays. */
export function createDeletionsCheck() {
  const settled = new Map<string, string>();
  const isRestored = createRestoreWatch();
  let checked = 0;
  return async (scene: Scene, isEnd: boolean): Promise<void> => {
    const { api, control, time, plan } = scene;
    if (isRestored(scene)) {
      // What was written since the backup is gone.
      settled.clear();
      checked = api.seen.length;
    }
    const fresh = api.seen.slice(checked).filter(({ method }) => method === "DELETE");
    checked = api.seen.length;
    if (fresh.length === 0 && !isEnd) return;
    const items = await control.rows<Item>(
      "select i.company, i.file_id, i.deletion_id, i.sent_at, (extract(epoch from i.sent_at) * 1000)::bigint as sent_ms, i.outcome, d.state from deletion_items i join deletions d on d.company = i.company and d.id = i.deletion_id",
    );
    for (const { path, company, status } of fresh) {
      if (REFUSED.has(status)) continue;
      const id = Number(path.split("/").at(-1));
      if (
        !items.some(
          (item) =>
            item.company === company && Number(item.file_id) === id && item.sent_at !== null,
        )
      )
        throw new Broken("deletions", `file ${id} of ${company} was deleted without an intent`);
    }
    const done = new Map<string, number>();
    for (const { method, path, company, status } of api.seen)
      if (method === "DELETE" && status === 200) {
        const key = `${company} ${path}`;
        done.set(key, (done.get(key) ?? 0) + 1);
        if ((done.get(key) ?? 0) > 1) throw new Broken("deletions", `${key} was deleted twice`);
      }
    for (const item of items) {
      const key = `${item.deletion_id} ${item.file_id}`;
      const before = settled.get(key);
      if (before !== undefined && item.outcome !== before)
        throw new Broken("deletions", `the outcome of ${key} was ${before}, then ${item.outcome}`);
      if (item.outcome !== null && item.outcome !== "unknown") settled.set(key, item.outcome);
      if (
        item.outcome === "deleted" &&
        !done.has(`${item.company} /schedule_files/${item.file_id}`)
      )
        throw new Broken("deletions", `${key} counts as deleted, and never was`);
      const sentMs = item.sent_at === null ? Infinity : Number(item.sent_ms);
      const isOld = isEnd && calmMs(plan) >= RECOVERED_MS && sentMs < time.nowMs() - RECOVERED_MS;
      if (isOld && (item.outcome === null || item.outcome === "unknown"))
        throw new Broken("deletions", `${key} was sent, and has no outcome at the end`);
    }
  };
}
