import { compareText } from "@/lib/domain/text/compare-text";
import { createApi, type SimulatedApi } from "./api";
import { openControl, type Control, type Server } from "./database";
import { drawFaults, faultText, type Fault } from "./faults";
import { createInstances, type FailedStart, type LivingInstance } from "./instances";
import { createRandom } from "./random";
import { createReceivers, type Receivers } from "./receivers";
import { createRestores } from "./restores";
import { seedCrypto } from "./seeded-crypto";
import { createSimulatedTime, paceAround, type SimulatedTime } from "./time";
import { createTurns } from "./turns";
import { createWalls, type SimulatedWall } from "./walls";
import { drawStart, drawWorld, type World } from "./world";
import type { Plan } from "./plan";

/** What the invariants see after each simulated minute. */
export type Scene = {
  plan: Plan;
  time: SimulatedTime;
  world: World;
  faults: readonly Fault[];
  api: SimulatedApi;
  receivers: Receivers;
  control: Control;
  pollSeconds: number;
  /** How much later than it asked for a wait of an instance may end. */
  longestDelayMs: number;
  /** Those that run and have started, in the order of their starts. */
  instances: () => readonly LivingInstance[];
  walls: readonly SimulatedWall[];
  /** Starts that failed, in order. */
  failedStarts: readonly FailedStart[];
  /** What instances logged as errors, in order. */
  errors: readonly string[];
  /** Adds to what is printed when an invariant is broken. */
  note: (what: string) => void;
};

/** A broken promise. */
export class Broken extends Error {
  override readonly name = "Broken";
  readonly invariant: string;

  constructor(invariant: string, what: string) {
    super(`${invariant}: ${what}`);
    this.invariant = invariant;
  }
}

export type Outcome = {
  broken: Broken | null;
  /** One line each, in order. */
  events: readonly string[];
  /** How many faults were drawn. */
  faults: number;
  operations: number;
  simulatedMs: number;
  /** See `digestOf`; null if it wasn't asked for. */
  digest: string | null;
  /** See `coverageOf`; empty if it wasn't asked for. */
  coverage: Readonly<Record<string, number>>;
};

/** What plays besides the instances, the API and the receivers. */
export type Parts = {
  /** Throws `Broken`; called after each simulated minute, and with `isEnd` when all is over. */
  check: (scene: Scene, isEnd: boolean) => Promise<void>;
  /** Called before anything starts. */
  prepare?: (scene: Scene, connectionString: string) => Promise<void>;
  /** Called each simulated minute: what people do. */
  act?: (scene: Scene) => Promise<void>;
  /** Called at the end, before the database is dropped, whether or not an invariant was broken. */
  digest?: (scene: Scene) => Promise<string>;
  /** As `digest`. */
  coverage?: (scene: Scene) => Promise<Readonly<Record<string, number>>>;
};

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** What follows from a plan before anything is played. */
function draw(plan: Plan) {
  const random = createRandom(plan.seed);
  const startMs = drawStart(random.of("start"), plan.days);
  const all = drawWorld(random.of("world"), startMs, plan);
  const drawn = drawFaults(random.of("faults"), all, {
    days: plan.days,
    kinds: plan.kinds,
    perDay: plan.faultsPerDay,
  });
  const world: World = {
    ...all,
    companies: all.companies.filter((_, at) => plan.onlyCompanies?.includes(at) ?? true),
  };
  const faults = drawn.filter((_, at) => plan.onlyFaults?.includes(at) ?? true);
  const rhythm = random.of("rhythm");
  return {
    random,
    world,
    faults,
    drawnFaults: drawn.length,
    pollSeconds: rhythm.whole(6, 60) * 10,
    fineMs: rhythm.pick([5_000, 10_000, 20_000]),
  };
}

/** When faults begin and end, in order. */
function momentsOf(faults: readonly Fault[]) {
  return faults
    .flatMap((fault) => [
      { atMs: fault.fromMs, fault, begins: true },
      { atMs: fault.untilMs, fault, begins: false },
    ])
    .toSorted((a, b) => a.atMs - b.atMs);
}

/** Plays a plan. */
export async function simulate(server: Server, plan: Plan, parts: Parts): Promise<Outcome> {
  const { random, world, faults, drawnFaults, pollSeconds, fineMs } = draw(plan);
  const time = createSimulatedTime(world.startMs);
  const coarseMs = pollSeconds * 1_000;
  const moments = momentsOf(faults);
  const pace = paceAround(
    moments.map(({ atMs }) => atMs),
    { fineMs, coarseMs },
  );
  const turns = createTurns(random.of("turns"));
  const api = createApi({ time, random: random.of("api"), world, faults, days: plan.days });
  const receivers = createReceivers({ time, random: random.of("receivers"), faults });
  const unseed = seedCrypto(random.of("crypto"));
  const name = `simulation_${plan.seed}`;
  await server.drop(name);
  const connectionString = await server.create(name);
  const control = await openControl(connectionString, time);
  const restores = createRestores({ connectionString, control, time });
  const events: string[] = [];
  const note = (what: string) =>
    void events.push(`${new Date(time.nowMs()).toISOString()} ${what}`);
  note(`polls every ${pollSeconds} s, waits end every ${pollSeconds} or ${fineMs / 1_000} s`);
  const common = { time, world, faults, api, receivers, control, pollSeconds, note };
  const instances = createInstances({ ...common, turns, restores, random, pace, connectionString });
  const walls = createWalls({
    ...common,
    plan,
    random: random.of("walls"),
    instances: instances.living,
  });
  const scene: Scene = {
    ...common,
    plan,
    walls: walls.all,
    longestDelayMs: coarseMs,
    instances: instances.living,
    failedStarts: instances.failedStarts,
    errors: instances.errors,
  };

  async function advance(untilMs: number): Promise<void> {
    do await turns.settle();
    while (time.step(untilMs));
  }

  /** Until the next full minute, with what begins and ends meanwhile. */
  async function playMinute(minuteMs: number): Promise<void> {
    while (moments[0] !== undefined && moments[0].atMs <= minuteMs) {
      const moment = moments.shift();
      if (moment === undefined) break;
      await advance(moment.atMs);
      note(`${moment.begins ? "begins" : "ends"}: ${faultText(moment.fault)}`);
      await instances.turn(moment.fault, moment.begins);
    }
    await advance(minuteMs);
    instances.restart();
    await turns.settle();
  }

  /** @returns what is broken */
  async function playAll(): Promise<Broken | null> {
    const lasts = Math.min(plan.days * DAY_MS, (plan.minutes ?? Infinity) * MINUTE_MS);
    const endMs = time.nowMs() + lasts;
    try {
      await control.beforeStatement();
      await parts.prepare?.(scene, connectionString);
      instances.restart();
      while (time.nowMs() < endMs) {
        await playMinute(Math.min(endMs, (Math.floor(time.nowMs() / MINUTE_MS) + 1) * MINUTE_MS));
        await control.beforeStatement();
        walls.act();
        await parts.act?.(scene);
        await parts.check(scene, false);
        if (time.nowMs() % DAY_MS === 0) await control.vacuum();
      }
      await parts.check(scene, true);
      return null;
    } catch (error) {
      if (!(error instanceof Broken)) throw error;
      note(`BROKEN ${error.message}`);
      return error;
    }
  }

  try {
    const broken = await playAll();
    return {
      broken,
      events: withTraffic(events, scene),
      faults: drawnFaults,
      operations: turns.count(),
      simulatedMs: time.nowMs() - world.startMs,
      digest: (await parts.digest?.(scene)) ?? null,
      coverage: (await parts.coverage?.(scene)) ?? {},
    };
  } finally {
    walls.end();
    instances.end();
    await restores.end();
    unseed();
    await control.close();
    await server.drop(name);
  }
}

const INSTANT_LENGTH = "2026-01-01T00:00:00.000Z".length;

/** The events, and among them what the API and the receivers saw. */
function withTraffic(events: readonly string[], { api, receivers }: Scene): string[] {
  const lines = [
    ...events,
    ...api.seen.map(
      ({ atMs, method, host, path, company, status, arrivedMs }) =>
        `${new Date(atMs).toISOString()} ${method} ${host}${path} of ${company ?? "?"}: ${status}${arrivedMs === null ? ", answer lost" : ""}`,
    ),
    ...receivers.received.map(
      ({ atMs, to, id, body }) =>
        `${new Date(atMs).toISOString()} ${to} received ${messageText(body)} ${id}`,
    ),
  ];
  // Equal instants keep their order: what was noted comes first.
  return lines.toSorted((a, b) =>
    compareText(a.slice(0, INSTANT_LENGTH), b.slice(0, INSTANT_LENGTH)),
  );
}

/** What a message is about, and when that was by its own words. */
function messageText(body: string): string {
  const { type, at, company, companies, incident } = JSON.parse(body) as {
    type: string;
    at: string;
    company: { slug: string } | null;
    companies?: string[];
    incident: { id: number } | null;
  };
  const about = incident === null ? [] : [`incident ${incident.id}`];
  const slugs = company === null ? (companies ?? []) : [company.slug];
  return [type, ...slugs, ...about, `at ${at}`].join(" ");
}
