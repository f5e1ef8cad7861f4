import type { ServedScheduleFile } from "@/lib/contracts/v3";
import type { Random } from "./random";
import type { World, WorldCompany } from "./world";

const DAY_MS = 24 * 60 * 60_000;

/** A file, and when it is there; true time, epoch milliseconds. */
export type SimulatedFile = {
  served: ServedScheduleFile;
  uploadedMs: number;
  /** When it is deleted, in the partner's software or by us; Infinity: never. */
  removedMs: number;
};

/** Files, some of which are uploaded only later, or deleted by others. The newest first, as the API lists them. */
export function drawFiles(
  random: Random,
  company: WorldCompany,
  { world, days }: { world: World; days: number },
): SimulatedFile[] {
  const number = Number(company.slug.replace(/\D/g, ""));
  const uploadedMs = Array.from(
    { length: random.whole(0, 30 + Math.ceil(10 * days)) },
    () => world.startMs + Math.floor((2 * random.next() - 1) * days * DAY_MS),
  ).toSorted((a, b) => b - a);
  return uploadedMs.map((ms, at) => ({
    served: {
      id: 1_000 * number + (uploadedMs.length - at),
      name: `plan-${uploadedMs.length - at} canary-${number}-canary.xer`,
      is_baseline: random.chance(0.2),
      company_id: number,
      customer_project: null,
      created_at: new Date(ms).toISOString(),
      file_type: "xer" as const,
      partner_token_id: null,
    },
    uploadedMs: ms,
    removedMs: random.chance(0.3) ? ms + Math.floor(random.next() * 2 * days * DAY_MS) : Infinity,
  }));
}

/** Whether it is there at a time, true time in epoch milliseconds. */
export const isThere = ({ uploadedMs, removedMs }: SimulatedFile, ms: number) =>
  uploadedMs <= ms && ms < removedMs;
