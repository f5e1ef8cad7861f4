import { wallViewFixture } from "@/lib/client/wall/fixture";
import type { SyncStatusView } from "@/lib/contracts/dashboard";
import type { Picture } from "@/lib/domain/confidence";
import { FAULT_KINDS, type Fault } from "../faults";
import type { Scene } from "../simulation";
import type { SimulatedWall } from "../walls";

export const START_MS = Date.parse("2026-11-26T00:00:00Z");
const DAY_MS = 24 * 60 * 60_000;

/** Rows for statements that contain a text; the first that fits. Others get none. */
export type Rows = readonly (readonly [text: string, rows: readonly unknown[]])[];

/**
 * The end of a day of one company, `a`, at which one instance runs and shows it live.
 * @param given replaces parts of it
 */
export function sceneWith(given: Partial<Scene> = {}, rows: Rows = []): Scene {
  const nowMs = START_MS + DAY_MS;
  const scene = {
    plan: { days: 1, minutes: null, kinds: FAULT_KINDS, seed: 1 },
    time: { nowMs: () => nowMs },
    world: { startMs: START_MS, companies: [companyNamed("a", 1)] },
    faults: [],
    instances: () => [instanceAt(nowMs)],
    walls: [],
    api: { seen: [], skewMs: () => 0 },
    receivers: { received: [] },
    longestDelayMs: 0,
    failedStarts: [],
    errors: [],
    control: {
      rows: (text: string) =>
        Promise.resolve(rows.find(([part]) => text.includes(part))?.[1] ?? []),
    },
    ...given,
  };
  return scene as unknown as Scene;
}

export const companyNamed = (slug: string, at: number) =>
  ({
    slug,
    name: `${slug} canary-${at}-canary`,
    feeds: [],
  }) as unknown as Scene["world"]["companies"][number];

/** An instance that saw every company just now. */
export function instanceAt(
  nowMs: number,
  given: { isHanging?: boolean; source?: Partial<Picture> } = {},
) {
  return {
    name: "instance 1",
    startedMs: START_MS,
    nowMs: () => nowMs,
    isHanging: () => given.isHanging === true,
    view: () => ({
      rows: [],
      source: {
        confidence: "live",
        last_success_at: new Date(nowMs).toISOString(),
        rhythm_seconds: 60,
        ...given.source,
      },
    }),
  } as unknown as ReturnType<Scene["instances"]>[number];
}

/** A wall that got this of company `a` just now. */
export const wallAt = (nowMs: number, view: SyncStatusView): SimulatedWall => ({
  name: "wall 1",
  now: () => ({
    nowMs,
    isTimeCertain: true,
    access: { state: "open" },
    wall: wallViewFixture(),
    companies: [{ slug: "a", name: "a", view, incidents: null, lastResponseMs: nowMs }],
    beat: { second: 0, isAlive: true },
    edition: 1,
    isConfirmed: true,
  }),
});

export const faultOf = (kind: Fault["kind"], fromMs: number, untilMs: number): Fault => ({
  kind,
  fromMs,
  untilMs,
  company: null,
  share: 1,
  amount: 0,
});
