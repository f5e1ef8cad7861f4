import { delayedUntilMs } from "@/lib/domain/confidence";
import { browserTime, createServerClock } from "@/lib/client/clock";
import { pageResponds } from "@/lib/client/page-responds";
import { topOfWall } from "./frames";
import { startWallLoop, type WallLoop } from "./loop";
import type { WallFirst } from "./state";
import { createKeeper, forgetAll, isStoredPage, readStored } from "./storage";

/** Starts a wall's page in its browser, from the data of the server (or storage). */

const TRIED_KEY = "wall-tried";

/**
 * Starts the loop of this page.
 * @param first data that the server put into the page
 * @param reload loads a newer page in place of this one
 */
export async function startWallPage(first: WallFirst, reload: () => void): Promise<WallLoop> {
  const isStored = isStoredPage();
  const begun = (isStored ? await readStored() : null) ?? first;
  if (first.access.state === "open" && first.wall.display === null)
    void forgetAll().catch(() => {});
  const keep = createKeeper(() => browserTime.monotonicMs());
  const startMs = isStored ? storedNowMs(begun, Date.now()) : begun.atMs + sinceAnsweredMs();
  return startWallLoop(
    begun,
    {
      build: first.wall.build,
      only: first.only,
      bornMs: first.atMs,
      triedBuild: readTried(),
      share: shareOf(first.wall.display?.id ?? null),
    },
    isStored,
    {
      clock: createServerClock(startMs),
      time: browserTime,
      fetch: (path, init) => fetch(path, init),
      random: Math.random,
      reload({ build, tries }) {
        rememberTried({ build, tries });
        reload();
      },
      leave: () => void leaveToPair(),
      keep: (stored) => (stored === null ? void forgetAll().catch(() => {}) : keep(stored)),
    },
  );
}

/**
 * The start time of a page from storage. How long it was stored is only known from a clock that may have stopped too,
 * so it is at least long enough to make every picture blind.
 * @param stored the stored data; its `atMs` is when it was stored
 * @param deviceMs the screen's own clock, epoch ms
 */
export function storedNowMs(stored: WallFirst, deviceMs: number): number {
  const blindMs = stored.companies.map(({ view }) => {
    const seenMs = view?.as_of ? Date.parse(view.as_of) : null;
    return 1 + (delayedUntilMs(seenMs, view?.source.rhythm_seconds ?? 0) ?? 0);
  });
  return Math.max(stored.atMs, deviceMs, ...blindMs.filter(Number.isFinite));
}

/** Time since the server's response with this page, ms; 0 if the page isn't this document's own. */
function sinceAnsweredMs(): number {
  const [entry] = performance.getEntriesByType("navigation");
  if (!(entry instanceof PerformanceNavigationTiming)) return 0;
  const isOwn = new URL(entry.name).pathname === window.location.pathname;
  return isOwn ? Math.max(0, performance.now() - entry.responseStart) : 0;
}

/** A display's fixed share of all spreads, the same for each of its pages; random for a person's tab. */
export function shareOf(displayId: string | null): number {
  if (displayId === null) return Math.random();
  let hash = 2_166_136_261;
  for (const letter of displayId) {
    hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619);
  }
  // Spreads out names that differ only at their end.
  hash = Math.imul(hash ^ (hash >>> 16), 2_246_822_507);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}

/** Navigates to pairing only if that page responds; until then, the picture stays. */
async function leaveToPair(): Promise<void> {
  if (await pageResponds("/pair")) topOfWall().location.replace("/pair");
}

/**
 * Reports what the browser has actually painted: the newest data drawn before a frame. However slow the screen is, it
 * waits for one frame at a time; a page that is never painted waits for its first.
 * @param painted called after the frame
 * @returns call it with everything that is drawn
 */
export function createPaintWatch<T>(painted: (drawn: T) => void): (drawn: T) => void {
  let newest: { drawn: T } | null = null;
  let isWaiting = false;
  const wait = () => {
    if (isWaiting || newest === null) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      const inFrame = newest;
      newest = null;
      // A message event is the first to arrive after this frame's paint.
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener("message", () => {
        port1.close();
        isWaiting = false;
        wait();
        if (inFrame !== null) painted(inFrame.drawn);
      });
      port1.start();
      port2.postMessage(null);
    });
  };
  return (drawn) => {
    newest = { drawn };
    wait();
  };
}

/** Survives the page but not a restart of the browser: the attempts of earlier pages. */
function readTried(): { build: string; tries: number } | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(TRIED_KEY) ?? "null");
    if (typeof kept !== "object" || kept === null) return null;
    const build: unknown = Reflect.get(kept, "build");
    const tries: unknown = Reflect.get(kept, "tries");
    return typeof build === "string" && typeof tries === "number" ? { build, tries } : null;
  } catch {
    return null;
  }
}

function rememberTried(tried: { build: string; tries: number }): void {
  try {
    sessionStorage.setItem(TRIED_KEY, JSON.stringify(tried));
  } catch {
    // Storage may be blocked: then each page only knows its own attempts.
  }
}
