import { delayedUntilMs } from "@/lib/domain/confidence";
import { browserTime, createServerClock } from "@/lib/client/clock";
import { pageResponds } from "@/lib/client/page-responds";
import { topOfWall } from "./frames";
import { startWallLoop, type WallLoop } from "./loop";
import type { WallFirst } from "./state";
import { createKeeper, forgetAll, isStoredPage, recallHeard } from "./storage";

/** A wall's page in its browser: from what the server (or storage) gave to a running loop. */

const TRIED_KEY = "wall-tried";

/**
 * Starts the loop of this page.
 * @param first what the server put into the page
 * @param reload puts a newer page in the place of this one
 */
export async function startWallPage(first: WallFirst, reload: () => void): Promise<WallLoop> {
  const isStored = isStoredPage();
  const begun = (isStored ? await recallHeard() : null) ?? first;
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
      keep: (heard) => (heard === null ? void forgetAll().catch(() => {}) : keep(heard)),
    },
  );
}

/**
 * The time at which a page from storage begins. How long it lay there only a clock can tell that may have
 * stopped as well, so at least as much has passed as makes every picture blind.
 * @param heard what was kept; its `atMs` is when it was
 * @param deviceMs the screen's own clock, epoch ms
 */
export function storedNowMs(heard: WallFirst, deviceMs: number): number {
  const blindMs = heard.companies.map(({ view }) => {
    const seenMs = view?.as_of ? Date.parse(view.as_of) : null;
    return 1 + (delayedUntilMs(seenMs, view?.source.rhythm_seconds ?? 0) ?? 0);
  });
  return Math.max(heard.atMs, deviceMs, ...blindMs.filter(Number.isFinite));
}

/** How long ago the server's answer with this page came, ms; 0 when the page is not this document's own. */
function sinceAnsweredMs(): number {
  const [entry] = performance.getEntriesByType("navigation");
  if (!(entry instanceof PerformanceNavigationTiming)) return 0;
  const isOwn = new URL(entry.name).pathname === window.location.pathname;
  return isOwn ? Math.max(0, performance.now() - entry.responseStart) : 0;
}

/** A display's place in every spread, the same for each of its pages; a person's tab gets any. */
export function shareOf(displayId: string | null): number {
  if (displayId === null) return Math.random();
  let hash = 2_166_136_261;
  for (const letter of displayId) {
    hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619);
  }
  // Names that differ only at their end would stay side by side.
  hash = Math.imul(hash ^ (hash >>> 16), 2_246_822_507);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}

/** Pairing begins on a page that is known to be there; until it is, the picture stays. */
async function leaveToPair(): Promise<void> {
  if (await pageResponds("/pair")) topOfWall().location.replace("/pair");
}

/**
 * Tells what the browser has really painted: of all that was drawn before a frame, the newest. However slow
 * the screen is, one frame is waited for at a time; a page that is never painted waits for its first.
 * @param painted runs after the frame
 * @returns what to call with everything that is drawn
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
      // A message is the first thing to arrive after the painting of this frame.
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

/** Outlives the page, not the browser's start: what the page before this one tried. */
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
    // Storage may be refused: then each page only knows its own tries.
  }
}
