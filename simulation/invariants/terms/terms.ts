import { Broken, type Scene } from "../../simulation";

const EVERY_MS = 10 * 60_000;

/** Once another process has begun its term, nothing of its predecessor is committed to what it leads. */
export function createTermsCheck() {
  let nextMs = 0;
  return async ({ time, control }: Scene, isEnd: boolean): Promise<void> => {
    if (time.nowMs() < nextMs && !isEnd) return;
    nextMs = time.nowMs() + EVERY_MS;
    const [late] = await control.rows<Record<"lead" | "written" | "by" | "leader", string>>(
      "select lead, written, by, leader from simulated.late_writes order by n limit 1",
    );
    if (late === undefined) return;
    const { lead, written, by, leader } = late;
    throw new Broken("terms", `${by} has written to ${written}, and ${leader} leads ${lead}`);
  };
}
