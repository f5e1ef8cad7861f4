import type { SyncStatusView } from "@/lib/contracts/dashboard";
import type { WallIncidentsView, WallView } from "@/lib/contracts/wall";
import type { BrowserTime, ServerClock } from "@/lib/client/clock";
import { isRecord, isSyncStatusView } from "@/lib/client/snapshot";
import { requestWall, type WallFetch } from "./request-wall";
import {
  afterGap,
  afterCompanyResponse,
  afterIncidentsResponse,
  isConfirmed,
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

/** State to draw, new every second. Instants are epoch ms on the server's clock. */
export type WallNow = {
  nowMs: number;
  /** See `ServerClock.isCertain`. */
  isTimeCertain: boolean;
  access: WallState["access"];
  wall: WallView;
  companies: readonly {
    slug: string;
    name: string;
    view: SyncStatusView | null;
    incidents: WallIncidentsView | null;
    lastResponseMs: number | null;
  }[];
  beat: WallState["beat"];
  /** Changes whenever there is newer data to paint. */
  edition: number;
  /** Whether all shown data was requested by this page itself. */
  isConfirmed: boolean;
};

export type WallLoop = {
  now(): WallNow;
  /** Calls back every second and after every response. Returns a function to unsubscribe. */
  subscribe(listener: () => void): () => void;
  /** The screen has painted this edition, which may not be the newest any more. */
  painted(edition: number): void;
  stop(): void;
};

/** All side effects of a loop, replaceable in tests. */
export type WallEnvironment = {
  clock: ServerClock;
  time: BrowserTime;
  fetch: WallFetch;
  /** 0 to 1. */
  random(): number;
  /** Loads a newer page in place of this one. Called again later if this page still exists then. */
  reload(target: { build: string; tries: number }): void;
  /** Navigates to `/pair`, if that can be reached. */
  leave(): void;
  /** Stores the received data for a start without network, or deletes all stored data (null). */
  keep(stored: WallFirst | null): void;
};

/** The clock's ticks trigger a step every second; if they ever stop, this continues without them. */
const LONGEST_SLEEP_MS = 5_000;

/**
 * Runs a wall until it is stopped: polls, ages the data and backs off; it never ends on its own. If a step throws, the
 * next second steps again; the heartbeat, which a step advances, stands still meanwhile.
 * @param isStored `first` came from this screen's own storage
 */
export function startWallLoop(
  first: WallFirst,
  page: WallPage,
  isStored: boolean,
  environment: WallEnvironment,
): WallLoop {
  const { clock, time } = environment;
  const at = (): At => ({ nowMs: clock.nowMs(), monotonicMs: time.monotonicMs() });
  const displayNow = () =>
    displayState(state, { ...at(), isTimeCertain: clock.isCertain() }, edition);
  const listeners = new Set<() => void>();
  let state = startWall(first, isStored, at());
  let edition = 0;
  let newestPainted = -1;
  let paintedMs: number | null = null;
  let isStopped = false;
  let stopTimer = () => {};
  let shown = displayNow();

  const show = () => {
    shown = displayNow();
    for (const listener of listeners) listener();
  };

  const update = (changed: WallState) => {
    if (isStopped) return;
    if (isNewer(changed, state)) edition += 1;
    state = changed;
    show();
    arm();
  };

  const run = async (effect: WallEffect): Promise<void> => {
    switch (effect.kind) {
      case "request-wall": {
        const response = await requestWall(environment, "/wall", isWallView);
        if (response.kind === "ok") clock.anchor(response.serverTime);
        update(
          afterWallResponse(
            state,
            page,
            response,
            effect.requestNumber,
            at(),
            environment.random(),
          ),
        );
        if (response.kind === "ended" || state.access.state === "unpaired") environment.keep(null);
        return;
      }
      case "request-company": {
        const { slug, requestNumber } = effect;
        const path = `/wall/companies/${encodeURIComponent(slug)}`;
        const response = await requestWall(environment, `${path}/sync-status`, isSyncStatusView);
        if (response.kind === "ok") clock.anchor(response.serverTime);
        update(
          afterCompanyResponse(
            state,
            page,
            slug,
            response,
            requestNumber,
            at(),
            environment.random(),
          ),
        );
        const isOpen = state.access.state === "open";
        if (response.kind === "ok" && isOpen && state.wall.display !== null) {
          environment.keep(storedStateOf(state, page, at()));
        }
        if (response.kind !== "ok" || isStopped) return;
        const handled = await requestWall(environment, `${path}/incidents`, isIncidentsView);
        update(afterIncidentsResponse(state, slug, handled, requestNumber));
        return;
      }
      case "report": {
        const report = reportOf(state, page, paintedMs, at());
        await requestWall(environment, "/wall/report", isAnything, report);
        update(afterReportResponse(state, effect.requestNumber, at(), environment.random()));
        return;
      }
      case "reload":
        return environment.reload(effect);
      case "leave":
        return environment.leave();
    }
  };

  const step = () => {
    if (isStopped) return;
    try {
      const { state: stepped, effects } = stepWall(state, page, at(), environment.random());
      state = stepped;
      for (const effect of effects) void run(effect).catch(() => {});
      show();
    } finally {
      arm();
    }
  };

  function arm() {
    stopTimer();
    if (isStopped) return;
    const now = at();
    const waitMs = Math.min(nextDueMs(state, now) - now.monotonicMs, LONGEST_SLEEP_MS);
    stopTimer = time.setTimer(safely(step), Math.max(1, waitMs));
  }

  // Two independent chains of timers.
  const stopTicks = clock.subscribe(safely(step));
  const stopGaps = clock.onGap(
    safely(() => {
      state = afterGap(state, at());
      step();
    }),
  );
  arm();

  return {
    now: () => shown,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    painted(ofEdition) {
      if (ofEdition <= newestPainted) return;
      newestPainted = ofEdition;
      paintedMs = clock.nowMs();
    },
    stop() {
      isStopped = true;
      stopTimer();
      stopTicks();
      stopGaps();
      listeners.clear();
    },
  };
}

/** What a page draws before its loop runs: the same on the server and in the browser. */
export const firstNow = (first: WallFirst): WallNow => {
  const at = { nowMs: first.atMs, monotonicMs: 0 };
  return displayState(startWall(first, false, at), { ...at, isTimeCertain: true }, 0);
};

function displayState(
  state: WallState,
  at: At & { isTimeCertain: boolean },
  edition: number,
): WallNow {
  return {
    edition,
    isConfirmed: isConfirmed(state),
    nowMs: at.nowMs,
    isTimeCertain: at.isTimeCertain,
    access: state.access,
    wall: state.wall,
    companies: state.companies.map((company) => ({
      slug: company.slug,
      name: company.name,
      view: company.view,
      incidents: company.incidents,
      lastResponseMs: lastResponseMs(company, at),
    })),
    beat: state.beat,
  };
}

/** Whether a company was updated, added or removed. */
function isNewer(changed: WallState, before: WallState): boolean {
  if (changed.companies.length !== before.companies.length) return true;
  return changed.companies.some(
    ({ slug, view }, index) =>
      slug !== before.companies[index]?.slug ||
      (view?.as_of ?? null) !== (before.companies[index]?.view?.as_of ?? null),
  );
}

function storedStateOf(state: WallState, page: WallPage, { nowMs }: At): WallFirst {
  return {
    access: { state: "open" },
    wall: state.wall,
    companies: state.companies.map(({ slug, name, view }) => ({ slug, name, view })),
    only: page.only,
    atMs: nowMs,
  };
}

/** A basic check; the shape itself is ensured by the server's contract tests. */
function isWallView(body: unknown): body is WallView {
  return (
    isRecord(body) &&
    typeof body["build"] === "string" &&
    Array.isArray(body["companies"]) &&
    body["companies"].every(
      (company) =>
        isRecord(company) &&
        typeof company["slug"] === "string" &&
        typeof company["name"] === "string",
    ) &&
    (body["display"] === null ||
      (isRecord(body["display"]) && typeof body["display"]["id"] === "string"))
  );
}

function isIncidentsView(body: unknown): body is WallIncidentsView {
  return (
    isRecord(body) &&
    Array.isArray(body["quiet"]) &&
    Array.isArray(body["open"]) &&
    body["open"].every((one) => isRecord(one) && Array.isArray(one["members"]))
  );
}

const isAnything = (_body: unknown): _body is unknown => true;

/** A wall continues after any error: the same step runs again within a second. */
function safely(run: () => void): () => void {
  return () => {
    try {
      run();
    } catch {
      // A wall's console isn't read; the stopped second hand shows the error.
    }
  };
}
