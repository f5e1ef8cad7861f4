import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { confidence } from "@/lib/domain/confidence";
import { browserTimeFixture } from "@/lib/client/browser-time-fixture";
import { createServerClock } from "@/lib/client/clock";
import {
  FIRST_MS,
  snapshotFixture,
  wallFirstFixture,
  wallPageFixture,
  wallViewFixture,
} from "./fixture";
import { firstNow, startWallLoop, type WallNow } from "./loop";
import type { WallFirst } from "./state";

type ServerState =
  | "well"
  | "down"
  | "hanging"
  | "proxy"
  | "unpaired"
  | "ended"
  /** The wall has ended, and a company's snapshot from before arrives late. */
  | "ended-late"
  | "new-build";
const SERVER_STATES: readonly ServerState[] = [
  "well",
  "down",
  "hanging",
  "proxy",
  "unpaired",
  "ended",
  "new-build",
];

/** A server with a snapshot every `readMs`, healthy or not, and a wall that shows it. */
function setUp(first: WallFirst = wallFirstFixture(), isStored = false, readMs = 60_000) {
  const fake = browserTimeFixture();
  const startMs = fake.time.monotonicMs();
  const trueMs = () => FIRST_MS + fake.time.monotonicMs() - startMs;
  const requests: string[] = [];
  const reports: { painted_at_ms: number | null }[] = [];
  const events: string[] = [];
  const underWay = new Map<string, number>();
  let most = 0;
  let server: ServerState = "well";
  /** The newest snapshot that reached the wall. */
  let deliveredMs = FIRST_MS;

  const say = (status: number, body: unknown) =>
    new Response(JSON.stringify(body), {
      status,
      headers: { date: new Date(trueMs()).toUTCString() },
    });
  const failure = (status: number, error: string) =>
    say(status, { error, error_description: "This display was unpaired at 14:02." });
  const answer = async (path: string, init: RequestInit): Promise<Response> => {
    requests.push(path);
    switch (server) {
      case "down":
        throw new TypeError("Failed to fetch");
      case "hanging":
        return new Promise((_, reject) => {
          init.signal?.addEventListener("abort", () => reject(new TypeError("aborted")));
        });
      case "proxy":
        return new Response("<h1>Who are you?</h1>", { status: 401 });
      case "unpaired":
        return failure(401, "unauthenticated");
      case "ended":
        return failure(403, "forbidden");
      case "ended-late":
        if (!path.endsWith("/sync-status")) return failure(403, "forbidden");
        await new Promise<void>((resolve) => void fake.time.setTimer(resolve, 5_000));
        return say(200, snapshotFixture(FIRST_MS, readMs));
      case "well":
      case "new-build":
        if (path === "/api/wall/report") {
          reports.push(JSON.parse(typeof init.body === "string" ? init.body : ""));
          return new Response(null, { status: 204 });
        }
        if (path === "/api/wall")
          return say(200, wallViewFixture({ build: server === "well" ? "one" : "two" }));
        deliveredMs = FIRST_MS + Math.floor((trueMs() - FIRST_MS) / readMs) * readMs;
        return say(200, snapshotFixture(deliveredMs, readMs));
    }
  };
  const loop = startWallLoop(first, wallPageFixture(), isStored, {
    clock: createServerClock(first.atMs, fake.time),
    time: fake.time,
    async fetch(path, init) {
      const count = (underWay.get(path) ?? 0) + 1;
      underWay.set(path, count);
      most = Math.max(most, count);
      try {
        return await answer(path, init);
      } finally {
        underWay.set(path, (underWay.get(path) ?? 1) - 1);
      }
    },
    random: () => 0.5,
    reload: ({ build }) => events.push(`reload ${build}`),
    leave: () => events.push("leave"),
    keep: (stored) => events.push(stored === null ? "forget" : "keep"),
  });
  return {
    fake,
    loop,
    requests,
    reports,
    events,
    trueMs,
    deliveredMs: () => deliveredMs,
    mostUnderWay: () => most,
    setServer: (next: ServerState) => {
      server = next;
    },
  };
}

const confidenceOf = ({ companies: [company], nowMs }: WallNow) => {
  const source = company?.view?.source;
  return confidence(
    source?.last_success_at ? Date.parse(source.last_success_at) : null,
    nowMs,
    source?.rhythm_seconds ?? 0,
  );
};

describe("a running wall", () => {
  test("first shows the picture rendered by the server", () => {
    const now = firstNow(wallFirstFixture());
    expect(now.nowMs).toBe(FIRST_MS);
    expect(now.companies[0]?.lastResponseMs).toBe(FIRST_MS);
    expect(now.beat).toEqual({ second: 0, isAlive: true });
  });

  test("requests each address once a minute for an hour, one at a time", async () => {
    const { fake, requests, mostUnderWay } = setUp();
    await fake.run(3_600_000);
    const count = (path: string) => requests.filter((one) => one === path).length;
    expect(count("/api/wall")).toBeGreaterThan(50);
    expect(count("/api/wall")).toBeLessThan(62);
    expect(count("/api/wall/companies/northgate/sync-status")).toBeGreaterThan(57);
    expect(count("/api/wall/companies/northgate/sync-status")).toBeLessThan(64);
    expect(count("/api/wall/report")).toBeLessThan(62);
    expect(mostUnderWay()).toBe(1);
  });

  test("requests each snapshot within 2 s from a server that reads three times a minute", async () => {
    const { fake, loop, requests, trueMs } = setUp(wallFirstFixture(), false, 20_200);
    const ages: number[] = [];
    loop.subscribe(() => {
      const asOf = loop.now().companies[0]?.view?.as_of;
      ages.push(trueMs() - Date.parse(asOf ?? ""));
    });
    await fake.run(3_600_000);
    const count = (path: string) => requests.filter((one) => one === path).length;
    const looks = Math.floor(3_600_000 / 20_200);
    expect(count("/api/wall/companies/northgate/sync-status")).toBeGreaterThanOrEqual(looks);
    expect(count("/api/wall/companies/northgate/sync-status")).toBeLessThan(looks + 6);
    expect(count("/api/wall")).toBeLessThan(62);
    expect(count("/api/wall/report")).toBeLessThan(62);
    expect(Math.max(...ages)).toBeLessThan(20_200 + 2_000);
  });

  test("draws every second with two timers, however long it runs", async () => {
    const { fake, loop } = setUp();
    await fake.run(10_000);
    let drawn = 0;
    const unsubscribe = loop.subscribe(() => drawn++);
    await fake.run(20_000);
    expect(drawn).toBeGreaterThanOrEqual(20);
    unsubscribe();
    await fake.run(3_600_000);
    expect(fake.timerCount()).toBe(2);
    loop.stop();
    expect(fake.timerCount()).toBe(0);
  });

  test("keeps the picture and goes blind by its own clock when the server stops responding", async () => {
    const { fake, loop, setServer } = setUp();
    await fake.run(90_000);
    setServer("hanging");
    const states: string[] = [];
    for (let minute = 0; minute < 8; minute++) {
      await fake.run(60_000);
      states.push(confidenceOf(loop.now()));
    }
    expect(states.slice(0, 1)).toEqual(["live"]);
    expect(states).toContain("delayed");
    expect(states.slice(-2)).toEqual(["blind", "blind"]);
    expect(loop.now().companies[0]?.view).not.toBeNull();
    expect(loop.now().beat.isAlive).toBe(false);
  });

  test("recovers within a minute, even after a night without network", async () => {
    const { fake, loop, setServer } = setUp();
    setServer("down");
    await fake.run(8 * 3_600_000);
    expect(confidenceOf(loop.now())).toBe("blind");
    setServer("well");
    await fake.run(61_000);
    expect(confidenceOf(loop.now())).toBe("live");
    expect(loop.now().beat.isAlive).toBe(true);
  });

  test("shows the age at once and requests within two seconds after the machine slept", async () => {
    const { fake, loop, requests, setServer } = setUp();
    await fake.run(30_000);
    setServer("down");
    fake.sleep(8 * 3_600_000);
    const before = requests.length;
    await fake.run(1100);
    expect(loop.now().nowMs).toBeGreaterThan(FIRST_MS + 8 * 3_600_000);
    expect(requests.length).toBeGreaterThan(before);
  });

  test("isn't sure of any age after sleep during which its clock was set back, until a response", async () => {
    const { fake, loop, setServer } = setUp();
    const isTimeCertain = () => loop.now().isTimeCertain;
    await fake.run(30_000);
    expect(isTimeCertain()).toBe(true);
    setServer("down");
    fake.sleep(3_600_000);
    fake.setWallBack(86_400_000);
    await fake.run(1100);
    expect(loop.now().nowMs).toBeLessThan(FIRST_MS + 60_000);
    expect(isTimeCertain()).toBe(false);
    await fake.run(60_000);
    expect(isTimeCertain()).toBe(false);
    setServer("well");
    await fake.run(61_000);
    expect(isTimeCertain()).toBe(true);
  });

  test("ignores a proxy's 401, but leaves after two of ours and deletes stored data", async () => {
    const { fake, loop, events, setServer } = setUp();
    setServer("proxy");
    await fake.run(600_000);
    expect(events).not.toContain("leave");
    setServer("unpaired");
    let drawn = 0;
    loop.subscribe(() => drawn++);
    await fake.run(120_000);
    expect(drawn).toBeLessThan(140);
    expect(events).toContain("leave");
    expect(events).toContain("forget");
  });

  test("removes every name when revoked, and shows the wall again after pairing", async () => {
    const { fake, loop, events, setServer } = setUp();
    await fake.run(5000);
    setServer("ended");
    await fake.run(66_000);
    expect(loop.now().access).toEqual({
      state: "ended",
      sentence: "This display was unpaired at 14:02.",
      isPaused: false,
    });
    expect(loop.now().companies).toEqual([]);
    expect(events).toContain("forget");
    setServer("well");
    await fake.run(66_000);
    expect(loop.now().access.state).toBe("open");
    expect(loop.now().companies[0]?.view).not.toBeNull();
  });

  test("stores nothing of a response that arrives after its access has ended", async () => {
    const { fake, events, setServer } = setUp();
    setServer("ended-late");
    await fake.run(20_000);
    expect(new Set(events)).toEqual(new Set(["forget"]));
  });

  test("requests the new page after a deployment", async () => {
    const { fake, events, setServer } = setUp();
    setServer("new-build");
    await fake.run(70_000);
    expect(events.filter((event) => event.startsWith("reload"))).toEqual(["reload two"]);
  });

  test("reports when newer data was painted, however late that was", async () => {
    const { fake, loop, reports } = setUp();
    await fake.run(4000);
    expect(reports.at(-1)?.painted_at_ms).toBeNull();
    const { edition } = loop.now();
    await fake.run(120_000);
    expect(loop.now().edition).toBeGreaterThan(edition + 1);
    // A slow screen is one edition behind, but what it painted was new to it.
    loop.painted(edition + 1);
    const { nowMs } = loop.now();
    await fake.run(66_000);
    const paintedMs = reports.at(-1)?.painted_at_ms;
    expect(paintedMs).toBeGreaterThanOrEqual(nowMs);
    expect(paintedMs).toBeLessThan(nowMs + 1000);
    // Nothing new: the same edition again, or an earlier one.
    loop.painted(edition + 1);
    loop.painted(edition);
    await fake.run(66_000);
    expect(reports.at(-1)?.painted_at_ms).toBe(paintedMs);
  });

  test("continues after a step that throws", async () => {
    const { fake, loop } = setUp();
    let drawn = 0;
    loop.subscribe(() => {
      drawn++;
      throw new Error("could not draw");
    });
    await fake.run(10_000);
    expect(drawn).toBeGreaterThan(9);
  });

  test("detects when all of its own requests have succeeded", async () => {
    const { fake, loop, setServer } = setUp();
    setServer("down");
    await fake.run(20_000);
    expect(loop.now().isConfirmed).toBe(false);
    setServer("well");
    await fake.run(60_000);
    expect(loop.now().isConfirmed).toBe(true);
  });

  test("never shows stale data as live, and recovers, after any sequence of events", async () => {
    const story = fc.array(
      fc.record({
        server: fc.constantFrom(...SERVER_STATES),
        seconds: fc.integer({ min: 1, max: 400 }),
      }),
      { minLength: 1, maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(story, async (periods) => {
        const { fake, loop, setServer, trueMs, deliveredMs, mostUnderWay } = setUp();
        for (const { server, seconds } of periods) {
          setServer(server);
          for (let left = seconds; left > 0; left -= 20) {
            await fake.run(Math.min(left, 20) * 1000);
            const now = loop.now();
            const isOld = trueMs() - deliveredMs() > 151_000;
            if (isOld && now.companies.length > 0) expect(confidenceOf(now)).not.toBe("live");
          }
        }
        setServer("well");
        await fake.run(76_000);
        expect(confidenceOf(loop.now())).toBe("live");
        expect(loop.now().access.state).toBe("open");
        expect(mostUnderWay()).toBe(1);
        loop.stop();
      }),
      { numRuns: 15 },
    );
  });
});
