import { describe, expect, test } from "vitest";
import type { WallView } from "@/lib/contracts/wall";
import type { WallResponse } from "./request-wall";
import {
  FIRST_MS,
  snapshotFixture,
  wallFirstFixture,
  wallPageFixture,
  wallViewFixture,
} from "./fixture";
import {
  afterGap,
  afterCompanyResponse,
  afterIncidentsResponse,
  lastResponseMs,
  nextDueMs,
  afterReportResponse,
  reportOf,
  startWall,
  stepWall,
  afterWallResponse,
  type At,
  type WallEffect,
  type WallFirst,
  type WallPage,
  type WallState,
} from "./state";
import { DAY_MS } from "@/lib/domain/time/units";

const RANDOM = 0.5;

/** A machine with its two clocks, for moving through time. */
function machine(first: WallFirst = wallFirstFixture(), page: WallPage = wallPageFixture()) {
  const at: At = { nowMs: FIRST_MS, monotonicMs: 1000 };
  let state: WallState = startWall(first, false, at);
  const step = (): WallEffect[] => {
    const stepped = stepWall(state, page, at, RANDOM);
    state = stepped.state;
    return stepped.effects;
  };
  return {
    at,
    step,
    state: () => state,
    change: (change: (state: WallState) => WallState) => {
      state = change(state);
    },
    pass(ms: number) {
      at.nowMs += ms;
      at.monotonicMs += ms;
      return step();
    },
    kinds: (effects: readonly WallEffect[]) => effects.map(({ kind }) => kind),
    /** Delivers the response to the current request. */
    wall(response: WallResponse<WallView>) {
      state = afterWallResponse(state, page, response, state.list.requestNumber, at, RANDOM);
    },
    company(response: Parameters<typeof afterCompanyResponse>[3], slug = "northgate") {
      const requestNumber =
        state.companies.find((company) => company.slug === slug)?.poll.requestNumber ?? 0;
      state = afterCompanyResponse(state, page, slug, response, requestNumber, at, RANDOM);
    },
    ok(given: Partial<WallView> = {}) {
      this.wall({ kind: "ok", value: wallViewFixture(given), serverTime: null });
    },
  };
}

const UNPAIRED = { kind: "unpaired" } as const;
const FAILED = { kind: "failed" } as const;
const ENDED = {
  kind: "ended",
  sentence: "This display was unpaired by Ana at 14:02.",
  isPaused: false,
} as const;

describe("incidents", () => {
  test("are known until a response is missing, each by its own company's responses", () => {
    const wall = machine();
    const member = { endpoint_id: "a", began_at: "2026-03-02T11:00:00.000Z" };
    const incident = { id: 1, partner_name: "Procore", members: [member] };
    const value = { open: [{ ...incident, acknowledged: { by: "Ana" } }], quiet: [] };
    const known = () => wall.state().companies.map(({ incidents }) => incidents);
    expect(known()).toEqual([null]);
    const answered = (slug: string, response: WallResponse<typeof value>) =>
      wall.change((state) => afterIncidentsResponse(state, slug, response, 0));
    answered("northgate", { kind: "ok", value, serverTime: null });
    expect(known()).toEqual([value]);
    answered("harbour", FAILED);
    expect(known()).toEqual([value]);
    answered("northgate", FAILED);
    expect(known()).toEqual([null]);
  });

  test("follow a slow server, and no response that was overtaken", () => {
    const wall = machine();
    const value = { open: [], quiet: [] };
    const known = () => wall.state().companies.map(({ incidents }) => incidents);
    const answered = (response: WallResponse<typeof value>, requestNumber: number) =>
      wall.change((state) => afterIncidentsResponse(state, "northgate", response, requestNumber));
    // The next snapshot is requested already.
    wall.step();
    answered({ kind: "ok", value, serverTime: null }, 0);
    expect(known()).toEqual([value]);
    answered(FAILED, 1);
    answered({ kind: "ok", value, serverTime: null }, 0);
    expect(known()).toEqual([null]);
  });
});

describe("polling", () => {
  test("requests everything once at the start, and nothing without need", () => {
    const wall = machine();
    expect(wall.kinds(wall.step())).toEqual(["request-wall", "request-company"]);
    expect(wall.step()).toEqual([]);
  });

  test("sends one request at a time per address, however long the response takes", () => {
    const wall = machine();
    wall.step();
    expect(wall.kinds(wall.pass(9000))).toEqual(["report"]);
    expect(wall.pass(9000)).toEqual([]);
  });

  test("gives up a lost request and ignores its late response", () => {
    const wall = machine();
    wall.step();
    const { requestNumber } = wall.state().list;
    expect(wall.kinds(wall.pass(31_000))).toContain("request-wall");
    const before = wall.state();
    const after = afterWallResponse(
      before,
      wallPageFixture(),
      ENDED,
      requestNumber,
      wall.at,
      RANDOM,
    );
    expect(after).toBe(before);
    const company = afterCompanyResponse(
      before,
      wallPageFixture(),
      "northgate",
      FAILED,
      0,
      wall.at,
      0,
    );
    expect(company).toBe(before);
  });

  test("requests a company just after the server's next read", () => {
    const wall = machine();
    wall.step();
    wall.company({ kind: "ok", value: snapshotFixture(FIRST_MS), serverTime: null });
    wall.ok();
    wall.pass(60_500);
    expect(wall.kinds(wall.pass(200))).toEqual(["request-company"]);
  });

  test("waits at most two minutes, whatever the server says about its next read", () => {
    const wall = machine();
    wall.step();
    const view = snapshotFixture(FIRST_MS);
    const far = { ...view, source: { ...view.source, next_refresh_at: "2031-01-01T00:00:00Z" } };
    wall.company({ kind: "ok", value: far, serverTime: null });
    expect(wall.state().companies[0]?.poll.dueMs).toBe(wall.at.monotonicMs + 120_000);
    for (const next_refresh_at of ["soon", null]) {
      const odd = { ...view, source: { ...view.source, next_refresh_at } };
      wall.company({ kind: "ok", value: odd, serverTime: null });
      const waitMs = (wall.state().companies[0]?.poll.dueMs ?? 0) - wall.at.monotonicMs;
      expect(waitMs).toBeGreaterThanOrEqual(60_000);
      expect(waitMs).toBeLessThanOrEqual(61_100);
    }
  });

  test("backs off up to a minute after failures, without end", () => {
    const wall = machine();
    wall.step();
    const waits: number[] = [];
    for (let count = 0; count < 40; count++) {
      wall.wall(FAILED);
      const waitMs = wall.state().list.dueMs - wall.at.monotonicMs;
      waits.push(waitMs);
      wall.pass(waitMs);
    }
    expect(waits[0]).toBe(2250);
    expect(Math.max(...waits)).toBe(45_000);
    expect(waits.at(-1)).toBe(45_000);
  });

  test("requests everything at once after a gap in time, but nothing twice", () => {
    const wall = machine();
    wall.step();
    wall.ok();
    wall.company({ kind: "ok", value: snapshotFixture(FIRST_MS), serverTime: null });
    wall.change((state) => afterGap(state, wall.at));
    expect(wall.kinds(wall.step())).toEqual(["request-wall", "request-company"]);
    wall.change((state) => afterGap(state, wall.at));
    expect(wall.step()).toEqual([]);
  });

  test("isn't affected by jumps of the server's clock", () => {
    const wall = machine();
    wall.step();
    wall.wall(FAILED);
    wall.at.nowMs += 3 * DAY_MS;
    wall.wall(FAILED);
    wall.at.nowMs -= 3 * DAY_MS;
    expect(wall.kinds(wall.pass(6000))).toContain("request-wall");
  });

  test("never returns a due time in the past", () => {
    const wall = machine();
    wall.at.monotonicMs += 5000;
    expect(nextDueMs(wall.state(), wall.at)).toBe(wall.at.monotonicMs);
    wall.step();
    expect(nextDueMs(wall.state(), wall.at)).toBe(wall.at.monotonicMs + 120_000);
  });

  test("has nothing due that isn't requested while nothing may be shown", () => {
    const wall = machine();
    wall.step();
    wall.company(FAILED);
    wall.wall(UNPAIRED);
    wall.pass(3000);
    wall.wall(UNPAIRED);
    wall.pass(60_000);
    wall.wall(UNPAIRED);
    expect(nextDueMs(wall.state(), wall.at)).toBeGreaterThan(wall.at.monotonicMs + 1000);
  });
});

describe("access", () => {
  test("adds and removes companies as the server says, and keeps the picture of the others", () => {
    const wall = machine();
    wall.step();
    wall.ok({
      companies: [
        { slug: "harbour", name: "Harbour" },
        { slug: "northgate", name: "Northgate" },
      ],
    });
    expect(wall.state().companies.map(({ slug, view }) => [slug, view !== null])).toEqual([
      ["harbour", false],
      ["northgate", true],
    ]);
    expect(wall.kinds(wall.step())).toEqual(["request-company"]);
    wall.ok({ companies: [] });
    expect(wall.state().companies).toEqual([]);
  });

  test("shows only the company of its address", () => {
    const page = wallPageFixture({ only: "northgate" });
    const wall = machine(wallFirstFixture({ only: "northgate" }), page);
    wall.step();
    wall.ok({ companies: [{ slug: "harbour", name: "Harbour" }] });
    expect(wall.state().companies).toEqual([]);
  });

  test("ignores one rejection, but goes to pairing after two in a row, with retries", () => {
    const wall = machine();
    wall.step();
    wall.wall(UNPAIRED);
    expect(wall.state().access.state).toBe("open");
    wall.ok();
    wall.wall(UNPAIRED);
    expect(wall.state().access.state).toBe("open");
    wall.pass(3000);
    wall.wall(UNPAIRED);
    expect(wall.state().access.state).toBe("unpaired");
    expect(wall.kinds(wall.step())).toEqual(["leave"]);
    expect(wall.step()).toEqual([]);
    expect(wall.kinds(wall.pass(60_000))).toContain("leave");
  });

  test("opens the wall again when a rejection is withdrawn", () => {
    const wall = machine();
    wall.step();
    wall.wall(UNPAIRED);
    wall.pass(3000);
    wall.wall(UNPAIRED);
    wall.pass(6000);
    wall.ok();
    expect(wall.state().access).toEqual({ state: "open" });
    expect(wall.state().denials).toBe(0);
  });

  test("verifies a company's own rejection with the wall's address first", () => {
    const wall = machine();
    wall.step();
    wall.ok();
    wall.company(ENDED);
    expect(wall.state().access.state).toBe("open");
    expect(wall.kinds(wall.step())).toEqual(["request-wall"]);
  });

  test("deletes everything on a revoked screen, polls every minute, and recovers after pairing", () => {
    const wall = machine();
    wall.step();
    wall.wall(ENDED);
    expect(wall.state().access).toEqual({
      state: "ended",
      sentence: ENDED.sentence,
      isPaused: false,
    });
    expect(wall.state().companies).toEqual([]);
    expect(wall.pass(59_000)).toEqual([]);
    expect(wall.kinds(wall.pass(6000))).toEqual(["request-wall"]);
    wall.wall(FAILED);
    expect(wall.state().access.state).toBe("ended");
    wall.ok();
    expect(wall.state().access.state).toBe("open");
    expect(wall.kinds(wall.step())).toContain("request-company");
  });

  test("polls while it is unknown whose screen it is, and then shows the wall", () => {
    const wall = machine(wallFirstFixture({ access: { state: "away" }, companies: [] }));
    expect(wall.state().beat.isAlive).toBe(false);
    expect(wall.kinds(wall.step())).toEqual(["request-wall"]);
    wall.ok();
    expect(wall.kinds(wall.step())).toEqual(["request-company"]);
    expect(wall.state().access.state).toBe("open");
  });
});

describe("the heartbeat", () => {
  test("advances with the seconds while responses arrive", () => {
    const wall = machine();
    wall.step();
    wall.pass(7000);
    expect(wall.state().beat).toEqual({ second: 7, isAlive: true });
  });

  test("stops when a company's responses stop, and continues with the next one", () => {
    const wall = machine();
    wall.step();
    for (let second = 0; second < 106; second++) {
      wall.ok();
      wall.pass(1000);
    }
    expect(wall.state().beat).toEqual({ second: 45, isAlive: false });
    wall.pass(20_000);
    expect(wall.state().beat).toEqual({ second: 45, isAlive: false });
    wall.company({ kind: "ok", value: snapshotFixture(wall.at.nowMs), serverTime: null });
    wall.step();
    expect(wall.state().beat).toEqual({ second: 6, isAlive: true });
  });

  test("isn't kept alive by a clock that was set back", () => {
    const wall = machine();
    wall.step();
    wall.at.nowMs -= DAY_MS;
    wall.pass(110_000);
    expect(wall.state().beat.isAlive).toBe(false);
    const [company] = wall.state().companies;
    expect(company && lastResponseMs(company, wall.at)).toBe(wall.at.nowMs - 110_000);
  });
});

describe("a page from storage", () => {
  test("counts nothing in it as received until a response arrives", () => {
    const at = { nowMs: FIRST_MS + 400_000, monotonicMs: 0 };
    const state = startWall(wallFirstFixture(), true, at);
    expect(state.beat.isAlive).toBe(false);
    expect(stepWall(state, wallPageFixture(), at, 0).state.beat.isAlive).toBe(false);
    const [company] = state.companies;
    expect(company && lastResponseMs(company, at)).toBe(FIRST_MS);
  });
});

describe("reloading", () => {
  test("follows a deployment once, within two minutes, at this screen's own time", () => {
    const wall = machine(wallFirstFixture(), wallPageFixture({ share: 0.25 }));
    wall.step();
    wall.ok({ build: "two" });
    expect(wall.kinds(wall.pass(1000))).not.toContain("reload");
    expect(wall.pass(30_000)).toContainEqual({ kind: "reload", build: "two", tries: 1 });
    expect(wall.kinds(wall.pass(30_000))).not.toContain("reload");
  });

  test("retries a page that didn't paint, with growing delays up to half an hour", () => {
    const wall = machine(wallFirstFixture(), wallPageFixture({ share: 0 }));
    wall.step();
    wall.ok({ build: "two" });
    const tried: number[] = [];
    for (let minute = 0; minute < 240; minute++) {
      if (wall.kinds(wall.pass(60_000)).includes("reload")) tried.push(minute);
    }
    const gaps = tried.slice(1).map((minute, index) => minute - (tried[index] ?? 0));
    expect(tried[0]).toBe(0);
    expect(gaps.slice(0, 4)).toEqual([2, 3, 6, 12]);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(30);
    expect(tried.length).toBeGreaterThan(8);
  });

  test("doesn't reload endlessly with two servers of different builds", () => {
    const page = wallPageFixture({ share: 0, triedBuild: { build: "two", tries: 3 } });
    const wall = machine(wallFirstFixture(), page);
    wall.step();
    wall.ok({ build: "two" });
    wall.step();
    expect(wall.kinds(wall.pass(400_000))).not.toContain("reload");
    expect(wall.pass(80_000)).toContainEqual({ kind: "reload", build: "two", tries: 4 });
  });

  test("doesn't reload if a deployment is rolled back in time", () => {
    const wall = machine();
    wall.step();
    wall.ok({ build: "two" });
    wall.pass(1000);
    wall.ok();
    wall.pass(100_000);
    expect(wall.state().reload).toBeNull();
  });

  test("happens at once on request, but not for a request from before this page", () => {
    const wall = machine();
    wall.step();
    wall.ok({ reload_requested_at: new Date(FIRST_MS - 1).toISOString() });
    expect(wall.kinds(wall.pass(1000))).not.toContain("reload");
    wall.ok({ reload_requested_at: new Date(FIRST_MS + 500).toISOString() });
    expect(wall.kinds(wall.pass(1000))).toContain("reload");
  });

  test("on request, doesn't wait for a build whose pages failed", () => {
    const wall = machine(wallFirstFixture(), wallPageFixture({ share: 0 }));
    wall.step();
    wall.ok({ build: "two" });
    for (let minute = 0; minute < 20; minute++) wall.pass(60_000);
    const requestedAt = new Date(wall.at.nowMs).toISOString();
    wall.ok({ build: "two", reload_requested_at: requestedAt });
    expect(wall.kinds(wall.pass(1000))).toContain("reload");
  });

  test("replaces a page that is a day old with a new one of the same build", () => {
    const wall = machine();
    wall.step();
    wall.ok();
    expect(wall.kinds(wall.pass(DAY_MS))).not.toContain("reload");
    expect(wall.kinds(wall.pass(3_600_000))).toContain("reload");
  });

  test("doesn't happen on a screen that may show nothing", () => {
    const wall = machine();
    wall.step();
    wall.ok({ build: "two" });
    wall.wall(ENDED);
    expect(wall.kinds(wall.pass(3 * DAY_MS))).toEqual(["request-wall"]);
  });
});

describe("reports", () => {
  test("are sent about once a minute, with the age of the oldest picture", () => {
    const wall = machine();
    wall.step();
    expect(wall.kinds(wall.pass(3000))).toEqual(["report"]);
    wall.change((state) => afterReportResponse(state, state.report.requestNumber, wall.at, RANDOM));
    expect(wall.state().report.dueMs - wall.at.monotonicMs).toBe(62_500);
    expect(reportOf(wall.state(), wallPageFixture(), null, wall.at)).toEqual({
      build: "one",
      loaded_at_ms: FIRST_MS,
      painted_at_ms: null,
      snapshot_age_seconds: 3,
    });
  });

  test("aren't sent by a person's screen", () => {
    const wall = machine(wallFirstFixture({ wall: wallViewFixture({ display: null }) }));
    wall.step();
    expect(wall.pass(3000)).toEqual([]);
  });

  test("have no age without any read", () => {
    const { state, at } = machine(wallFirstFixture({ companies: [] }));
    expect(reportOf(state(), wallPageFixture(), FIRST_MS, at).snapshot_age_seconds).toBeNull();
  });
});
