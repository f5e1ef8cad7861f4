import { afterAll, beforeAll, expect, test } from "vitest";
import { openControl, startServer, type Server } from "./database";
import { calmMs, FAULT_KINDS, RECOVERED_MS } from "./faults";
import { watchRecord } from "./invariants/observations";
import type { Plan } from "./plan";
import { createRestores } from "./restores";
import { run } from "./run";
import { shrink } from "./shrink";
import { Broken, type Scene } from "./simulation";
import { createSimulatedTime } from "./time";

const PLAN: Plan = {
  seed: 1,
  days: 0.15,
  companies: 3,
  feedsEach: 20,
  kinds: FAULT_KINDS,
  faultsPerDay: 60,
  onlyFaults: null,
  onlyCompanies: null,
  minutes: null,
};
/** The last one showed that a restore while messages are paused leaves their endings unsent, as it should. */
const SEEDS = [...Array.from({ length: 16 }, (_, at) => at + 25), 103];
/** They showed mistakes in runs of 0.1 days: a clock that was learned from a rejected answer, and what dates ahead of it are. */
const SHORT_SEEDS = [4, 24, 33];

/** Of a seed, on a machine that has much else to do. */
const TIMEOUT_MS = 300_000;

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

test("runs end with a calm that is long enough for what has to recover", () => {
  expect(calmMs(PLAN)).toBeGreaterThanOrEqual(RECOVERED_MS);
});

test.each([
  ...SEEDS.map((seed) => ({ seed, days: PLAN.days })),
  ...SHORT_SEEDS.map((seed) => ({ seed, days: 0.1 })),
])(
  "keeps every promise through the faults of seed $seed in $days days",
  { timeout: TIMEOUT_MS },
  async (given) => {
    const { broken, events } = await run(server, { ...PLAN, ...given });
    expect(broken === null ? "held" : events.slice(-100).join("\n")).toBe("held");
  },
);

test(
  "the same seed leaves the same rows, messages and requests",
  { timeout: TIMEOUT_MS },
  async () => {
    const plan = { ...PLAN, seed: 21 };
    const first = await run(server, plan);
    await run(server, { ...PLAN, seed: 22, minutes: 30 });
    const second = await run(server, plan);
    expect(second.events).toEqual(first.events);
    expect(second.digest).toBe(first.digest);
  },
);

test("a restored database takes time and ids from the simulation", async () => {
  const connectionString = await server.create("simulation_defaults");
  const time = createSimulatedTime(Date.parse("2026-10-25T01:00:00Z"));
  const control = await openControl(connectionString, time);
  const restores = createRestores({ connectionString, control, time });
  /** Default values of our tables that PostgreSQL calculates, in the order of their columns. */
  const defaults = () =>
    control.rows(
      `select adrelid::regclass::text as relation, adnum, pg_get_expr(adbin, adrelid) as value from pg_attrdef
       where pg_get_expr(adbin, adrelid) ~ '(random_uuid|now|timestamp)\\(' order by 1, 2`,
    );
  try {
    await watchRecord(control);
    const before = await defaults();
    await restores.backUp();
    await restores.restore();
    expect(before.length).toBeGreaterThan(0);
    expect(await defaults()).toEqual(before);
  } finally {
    await restores.end();
    await control.close();
    await server.drop("simulation_defaults");
  }
});

// Without the fence, this breaks `terms` after 11 minutes.
test(
  "a leader that hangs before it writes is replaced, and writes nothing when it continues",
  { timeout: TIMEOUT_MS },
  async () => {
    const { broken, events } = await run(server, {
      ...PLAN,
      seed: 3,
      days: 0.05,
      kinds: ["hang_process"],
      faultsPerDay: 240,
    });
    const hung = events.filter((line) => / (?:hangs|continues)$/.test(line));
    expect(hung.length).toBeGreaterThan(1);
    expect(broken).toBeNull();
  },
);

test("different seeds differ", async () => {
  const first = await run(server, { ...PLAN, seed: 23, minutes: 30 });
  const second = await run(server, { ...PLAN, seed: 24, minutes: 30 });
  expect(second.digest).not.toBe(first.digest);
});

test(
  "a broken invariant is told with what led to it, and shrunk to what it takes",
  { timeout: TIMEOUT_MS },
  async () => {
    /** Takes a fault that begins by the clock, so that fewer companies change nothing, and a company. */
    const check = ({ faults, time, world }: Scene) => {
      const slow = faults.find(({ kind, fromMs }) => kind === "slow" && fromMs <= time.nowMs());
      if (slow !== undefined && world.companies.length > 0)
        throw new Broken("planted", "an API is slow");
      return Promise.resolve();
    };
    const plan: Plan = { ...PLAN, days: 0.1, kinds: ["kill", "slow"], feedsEach: 4 };
    const outcome = await run(server, plan, check);
    expect(outcome.broken?.invariant).toBe("planted");
    expect(outcome.events.at(-1)).toMatch(/BROKEN planted: an API is slow$/);
    expect(outcome.events.join("\n")).toMatch(/begins: slow /);
    const smallest = await shrink(plan, outcome, {
      play: (smaller) => run(server, smaller, check),
      faults: outcome.faults,
      mostRuns: 30,
    });
    expect(smallest.onlyFaults).toHaveLength(1);
    expect(smallest.onlyCompanies).toHaveLength(1);
    expect(smallest.feedsEach).toBe(1);
  },
);
