import type { SyncStatusView } from "@/lib/contracts/dashboard";
import type { WallIncidentsView, WallReport, WallView } from "@/lib/contracts/wall";
import { nextRequestMs } from "@/lib/client/snapshot";
import type { WallResponse } from "./request-wall";
import { instantMs } from "@/lib/domain/time/instant";
import { HOUR_MS, DAY_MS } from "@/lib/domain/time/units";

/**
 * A wall's state and next steps, as a pure state machine: `stepWall` every second, `after*Response` with each response.
 * Requests are timed by the monotonic clock, which can't be set; only ages use the server's clock.
 */

/** One instant on both clocks, milliseconds. */
export type At = {
  /** Epoch, on the server's clock as estimated by this screen. */
  nowMs: number;
  monotonicMs: number;
};

/** Data that the server put into the page (or that was stored). */
export type WallFirst = {
  access: FirstAccess;
  wall: WallView;
  companies: readonly {
    slug: string;
    name: string;
    view: SyncStatusView | null;
    /** Its incidents and quiet times; null or absent: unknown. */
    incidents?: WallIncidentsView | null;
  }[];
  /** Limits the screen to this company; null: all visible ones. */
  only: string | null;
  /** When the server created it, epoch ms on its clock. */
  atMs: number;
};

/** Polling state of one address, with one request at a time. */
type Poll = {
  /** When to send the next request, monotonic ms. */
  dueMs: number;
  /** When the current request was sent, monotonic ms; null: there is none. */
  sinceMs: number | null;
  /** Number of the last request; responses to earlier ones are ignored. */
  requestNumber: number;
  failures: number;
  /** The last response received by this page; null: none yet. */
  lastResponse: At | null;
};

export type WallCompany = {
  slug: string;
  name: string;
  view: SyncStatusView | null;
  /** Its incidents and quiet times; null: unknown. */
  incidents: WallIncidentsView | null;
  /** Number of the snapshot request that they were requested after; responses after earlier ones are ignored. */
  incidentsNumber: number;
  /** Epoch ms on the server's clock of the response that delivered or confirmed `view`; null without. */
  answeredMs: number | null;
  poll: Poll;
};

/** Initial access of a page. `away`: the server can't tell yet whose screen this is. */
export type FirstAccess =
  | { state: "open" }
  | { state: "away" }
  | { state: "ended"; sentence: string; isPaused: boolean };

type Access =
  | FirstAccess
  /** The server doesn't know our credential; `/pair` is being tried. */
  | { state: "unpaired"; leaveMs: number; tries: number };

type Reload = { reason: string; dueMs: number; tries: number };

export type WallState = {
  wall: WallView;
  access: Access;
  /** Consecutive responses that reject the credential. */
  denials: number;
  list: Poll;
  companies: readonly WallCompany[];
  reload: Reload | null;
  report: Poll;
  /** Position of the heartbeat: 0 to 59. */
  beat: { second: number; isAlive: boolean };
};

/** Constant data of a page. */
export type WallPage = {
  build: string;
  only: string | null;
  /** When the server rendered this page, epoch ms on its clock. */
  bornMs: number;
  /** The build for which the previous page was replaced, and how often that was tried. */
  triedBuild: { build: string; tries: number } | null;
  /** 0 to 1, this screen's fixed share of every spread; the same for all its pages. */
  share: number;
};

/** Side effects for the loop to perform. */
export type WallEffect =
  | { kind: "request-wall"; requestNumber: number }
  | { kind: "request-company"; slug: string; requestNumber: number }
  | { kind: "report"; requestNumber: number }
  | { kind: "reload"; build: string; tries: number }
  | { kind: "leave" };

type Stepped = { state: WallState; effects: WallEffect[] };

const LIST_RHYTHM_MS = 60_000;
const LIST_SPREAD_MS = 5_000;
/** The first retry after a failure, and the maximum delay. */
const RETRY_MS = 3_000;
const MAX_RETRY_MS = 60_000;
/** A request that hasn't even timed out by now is given up, and its response ignored. */
const LOST_MS = 30_000;
/** Maximum time between requests, whatever the server says about its next read. */
const MAX_WAIT_MS = 120_000;
const SOONEST_MS = 50;
/** How late a response may be before the heartbeat stops: a timeout and some retries. */
const BEAT_ALLOWANCE_MS = 45_000;
/** Rejections needed before they are believed. */
const DENIALS = 2;
/** A deployment reloads all walls within this time, each at a different moment. */
const DEPLOY_SPREAD_MS = 120_000;
const RELOAD_RETRY_MS = 60_000;
const MAX_RELOAD_RETRY_MS = 30 * 60_000;

const initialPoll = (dueMs: number): Poll => ({
  dueMs,
  sinceMs: null,
  requestNumber: 0,
  failures: 0,
  lastResponse: null,
});

/**
 * The initial state of a page.
 * @param isStored the page came from this screen's own storage, not from the server: nothing in it counts as received
 *   until a response arrives
 */
export function startWall(first: WallFirst, isStored: boolean, at: At): WallState {
  const isFromServer = !isStored && first.access.state !== "away";
  const lastResponse = !isFromServer ? null : { nowMs: first.atMs, monotonicMs: at.monotonicMs };
  return {
    wall: first.wall,
    access: first.access,
    denials: 0,
    list: { ...initialPoll(at.monotonicMs), lastResponse },
    companies: first.companies.map((company) => ({
      ...company,
      incidents: isFromServer ? (company.incidents ?? null) : null,
      incidentsNumber: 0,
      answeredMs: company.view === null ? null : first.atMs,
      poll: { ...initialPoll(at.monotonicMs), lastResponse },
    })),
    reload: null,
    report: initialPoll(at.monotonicMs + RETRY_MS),
    beat: { second: secondOf(at.nowMs), isAlive: lastResponse !== null },
  };
}

/**
 * Does everything that is due now. Also gives up requests that got lost.
 * @param random 0 to 1
 */
export function stepWall(state: WallState, page: WallPage, at: At, random: number): Stepped {
  const effects: WallEffect[] = [];
  const run = (poll: Poll, effect: (requestNumber: number) => WallEffect): Poll => {
    const isLost = poll.sinceMs !== null && at.monotonicMs - poll.sinceMs > LOST_MS;
    if ((poll.sinceMs !== null && !isLost) || at.monotonicMs < poll.dueMs) return poll;
    const requestNumber = poll.requestNumber + 1;
    effects.push(effect(requestNumber));
    return { ...poll, requestNumber, sinceMs: at.monotonicMs };
  };
  const isOpen = state.access.state === "open";
  const list = run(state.list, (requestNumber) => ({ kind: "request-wall", requestNumber }));
  const companies = mapKeeping(state.companies, (company) => {
    const poll = isOpen
      ? run(company.poll, (requestNumber) => ({
          kind: "request-company",
          slug: company.slug,
          requestNumber,
        }))
      : company.poll;
    return poll === company.poll ? company : { ...company, poll };
  });
  const report =
    isOpen && state.wall.display !== null
      ? run(state.report, (requestNumber) => ({ kind: "report", requestNumber }))
      : state.report;

  let { access } = state;
  if (access.state === "unpaired" && at.monotonicMs >= access.leaveMs) {
    effects.push({ kind: "leave" });
    const tries = access.tries + 1;
    access = { ...access, tries, leaveMs: at.monotonicMs + retryWaitMs(tries, random) };
  }
  let reload = isOpen ? planReload(state, page, at) : null;
  if (reload !== null && at.monotonicMs >= reload.dueMs) {
    const tries = reload.tries + 1;
    effects.push({ kind: "reload", build: state.wall.build, tries });
    // If this page still exists then, the new one didn't paint: retry with growing delays.
    reload = { ...reload, tries, dueMs: at.monotonicMs + reloadWaitMs(tries, random) };
  }
  const stepped = { ...state, access, list, companies, report, reload };
  return { state: { ...stepped, beat: beatOf(stepped, at) }, effects };
}

/** The response of `GET /api/wall`. */
export function afterWallResponse(
  state: WallState,
  page: WallPage,
  response: WallResponse<WallView>,
  requestNumber: number,
  at: At,
  random: number,
): WallState {
  if (requestNumber !== state.list.requestNumber) return state;
  const again = LIST_RHYTHM_MS + random * LIST_SPREAD_MS;
  switch (response.kind) {
    case "ok": {
      const wasOpen = state.access.state === "open";
      return {
        ...state,
        wall: response.value,
        access: wasOpen ? state.access : { state: "open" },
        denials: 0,
        list: pollAfterResponse(state.list, again, at),
        companies: merge(state.companies, response.value, page.only, at),
      };
    }
    case "ended":
      // A screen without access must not keep any shown data.
      return {
        ...state,
        access: { state: "ended", sentence: response.sentence, isPaused: response.isPaused },
        denials: 0,
        companies: [],
        list: pollAfterResponse(state.list, again, at),
      };
    case "unpaired": {
      const denials = state.denials + 1;
      const list = pollAfterFailure(state.list, at, random);
      if (denials < DENIALS || state.access.state === "unpaired")
        return { ...state, denials, list };
      return {
        ...state,
        denials,
        list,
        access: { state: "unpaired", leaveMs: at.monotonicMs, tries: 0 },
      };
    }
    case "missing":
    case "failed":
      return { ...state, list: pollAfterFailure(state.list, at, random) };
  }
}

/** The response with the snapshot of one company. */
export function afterCompanyResponse(
  state: WallState,
  page: WallPage,
  slug: string,
  response: WallResponse<SyncStatusView>,
  requestNumber: number,
  at: At,
  random: number,
): WallState {
  const company = state.companies.find((known) => known.slug === slug);
  if (company?.poll.requestNumber !== requestNumber) return state;
  const put = (changed: WallCompany, list = state.list): WallState => ({
    ...state,
    list,
    companies: state.companies.map((known) => (known === company ? changed : known)),
  });
  if (response.kind === "ok") {
    return put({
      ...company,
      view: response.value,
      answeredMs: at.nowMs,
      poll: pollAfterResponse(company.poll, untilNextReadMs(response.value, at, page.share), at),
    });
  }
  const poll = pollAfterFailure(company.poll, at, random);
  // Only the wall's address decides what this screen may show: request it before believing the rejection.
  const isRefused = response.kind !== "failed";
  const list =
    isRefused && state.list.failures === 0
      ? { ...state.list, dueMs: Math.min(state.list.dueMs, at.monotonicMs) }
      : state.list;
  return put({ ...company, poll }, list);
}

/**
 * The response with the incidents of a company, requested after each of its snapshots. Without a response they are
 * unknown, and none is shown as acknowledged. Once a later one has been received it is ignored.
 * @param requestNumber of the snapshot's request
 */
export function afterIncidentsResponse(
  state: WallState,
  slug: string,
  response: WallResponse<WallIncidentsView>,
  requestNumber: number,
): WallState {
  const incidents = response.kind === "ok" ? response.value : null;
  return {
    ...state,
    companies: mapKeeping(state.companies, (company) =>
      company.slug === slug && requestNumber >= company.incidentsNumber
        ? { ...company, incidents, incidentsNumber: requestNumber }
        : company,
    ),
  };
}

/** A report was accepted or not: the next one is due in a minute. */
export function afterReportResponse(
  state: WallState,
  requestNumber: number,
  at: At,
  random: number,
): WallState {
  if (requestNumber !== state.report.requestNumber) return state;
  return {
    ...state,
    report: pollAfterResponse(state.report, LIST_RHYTHM_MS + random * LIST_SPREAD_MS, at),
  };
}

/** Time passed unnoticed (sleep, a frozen tab, a changed clock): request everything now. */
export function afterGap(state: WallState, at: At): WallState {
  const now = (poll: Poll): Poll => ({ ...poll, dueMs: at.monotonicMs });
  return {
    ...state,
    list: now(state.list),
    companies: state.companies.map((company) => ({ ...company, poll: now(company.poll) })),
  };
}

/** Whether all of this page's own requests have succeeded, which shows that its build works. */
export function isConfirmed({ access, list, companies }: WallState): boolean {
  const hasResponded = ({ requestNumber, sinceMs, failures }: Poll) =>
    failures === 0 && requestNumber > (sinceMs === null ? 0 : 1);
  return (
    access.state === "open" &&
    hasResponded(list) &&
    companies.every(({ poll }) => hasResponded(poll))
  );
}

/** When something is due next, monotonic ms; never before `at`. */
export function nextDueMs(state: WallState, at: At): number {
  const companies = state.access.state === "open" ? state.companies : [];
  const polls = [state.list, ...companies.map(({ poll }) => poll)];
  const due = polls.filter(({ sinceMs }) => sinceMs === null).map(({ dueMs }) => dueMs);
  return Math.max(at.monotonicMs, Math.min(...due, at.monotonicMs + MAX_WAIT_MS));
}

/**
 * Time of the last response for a company, for its age: epoch ms on the clock of `at`. A changed clock makes it older,
 * never younger, than the monotonic clock says.
 */
export function lastResponseMs(company: WallCompany, at: At): number | null {
  if (company.answeredMs === null) return null;
  const { lastResponse } = company.poll;
  const seenAgeMs = lastResponse === null ? 0 : at.monotonicMs - lastResponse.monotonicMs;
  return at.nowMs - Math.max(0, at.nowMs - company.answeredMs, seenAgeMs);
}

/** The screen's status report. @param paintedMs when newer data was last painted; null: not yet */
export function reportOf(
  state: WallState,
  page: WallPage,
  paintedMs: number | null,
  at: At,
): WallReport {
  const agesMs = state.companies.flatMap(({ view }) =>
    view?.as_of ? [Math.max(0, at.nowMs - Date.parse(view.as_of))] : [],
  );
  return {
    build: page.build,
    loaded_at_ms: page.bornMs,
    painted_at_ms: paintedMs,
    snapshot_age_seconds: agesMs.length === 0 ? null : Math.round(Math.max(...agesMs) / 1000),
  };
}

function beatOf(state: WallState, at: At): WallState["beat"] {
  const isWithin = (poll: Poll, rhythmMs: number) =>
    poll.lastResponse !== null &&
    Math.max(at.nowMs - poll.lastResponse.nowMs, at.monotonicMs - poll.lastResponse.monotonicMs) <=
      rhythmMs + BEAT_ALLOWANCE_MS;
  const isAlive =
    isWithin(state.list, LIST_RHYTHM_MS + LIST_SPREAD_MS) &&
    state.companies.every(({ poll, view }) =>
      isWithin(poll, Math.min(MAX_WAIT_MS, rhythmMsOf(view))),
    );
  // Once stopped, it stays at its last second.
  return { second: isAlive ? secondOf(at.nowMs) : state.beat.second, isAlive };
}

/** Why this page should be replaced by a newer one, and when; the plan is kept while its reason doesn't change. */
function planReload(state: WallState, page: WallPage, at: At): Reload | null {
  const { wall } = state;
  const plan = (reason: string, waitMs: number, tries = 0): Reload =>
    state.reload?.reason === reason
      ? state.reload
      : { reason, tries, dueMs: at.monotonicMs + waitMs };
  // A person in front of the screen may be waiting: takes precedence over a build whose pages failed.
  const { reload_requested_at: requestedAt } = wall;
  if (requestedAt !== null && Date.parse(requestedAt) > page.bornMs)
    return plan(`requested ${requestedAt}`, 0);
  if (wall.build !== page.build) {
    // With two builds served side by side it would reload endlessly: increase the delay.
    const tries = page.triedBuild?.build === wall.build ? page.triedBuild.tries : 0;
    const waitMs = tries === 0 ? 0 : reloadWaitMs(tries, 1);
    return plan(`build ${wall.build}`, waitMs + page.share * DEPLOY_SPREAD_MS, tries);
  }
  // Reload daily, against leaks in a browser that runs for months.
  const isOld = at.nowMs - page.bornMs > DAY_MS + page.share * HOUR_MS;
  return isOld ? plan("age", 0) : null;
}

/** Known companies keep their state; new ones are requested at once, as are all of them after an end. */
function merge(
  known: readonly WallCompany[],
  wall: WallView,
  only: string | null,
  at: At,
): WallCompany[] {
  return wall.companies
    .filter(({ slug }) => only === null || slug === only)
    .map(({ slug, name }) => {
      const before = known.find((company) => company.slug === slug);
      return before === undefined
        ? {
            slug,
            name,
            view: null,
            incidents: null,
            incidentsNumber: 0,
            answeredMs: null,
            poll: initialPoll(at.monotonicMs),
          }
        : { ...before, name };
    });
}

const pollAfterResponse = (poll: Poll, waitMs: number, at: At): Poll => ({
  ...poll,
  sinceMs: null,
  failures: 0,
  lastResponse: at,
  dueMs: at.monotonicMs + waitMs,
});

function pollAfterFailure(poll: Poll, at: At, random: number): Poll {
  const failures = poll.failures + 1;
  return {
    ...poll,
    sinceMs: null,
    failures,
    dueMs: at.monotonicMs + retryWaitMs(failures, random),
  };
}

/** 3 s, doubled each time, up to a minute; randomised, so that walls that failed together don't retry together. */
const retryWaitMs = (failures: number, random: number): number =>
  Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** Math.min(failures - 1, 10)) * (0.5 + random / 2);

const reloadWaitMs = (tries: number, random: number): number =>
  Math.min(MAX_RELOAD_RETRY_MS, RELOAD_RETRY_MS * 2 ** Math.min(tries, 10)) * (0.5 + random / 2);

function untilNextReadMs({ source }: SyncStatusView, at: At, share: number): number {
  const waitMs =
    nextRequestMs({
      nextRefreshMs: instantMs(source.next_refresh_at),
      rhythmMs: source.rhythm_seconds * 1000,
      lastRequestMs: at.nowMs,
      jitter: share,
    }) - at.nowMs;
  return Number.isFinite(waitMs) ? Math.min(Math.max(SOONEST_MS, waitMs), MAX_WAIT_MS) : RETRY_MS;
}

function rhythmMsOf(view: SyncStatusView | null): number {
  const seconds = view?.source.rhythm_seconds ?? 0;
  return seconds > 0 && Number.isFinite(seconds) ? seconds * 1000 : LIST_RHYTHM_MS;
}

const secondOf = (nowMs: number): number => Math.floor(nowMs / 1000) % 60;

/** `map` that returns the same list if nothing in it changed. */
function mapKeeping<T>(list: readonly T[], change: (item: T) => T): readonly T[] {
  const changed = list.map(change);
  return changed.some((item, index) => item !== list[index]) ? changed : list;
}
