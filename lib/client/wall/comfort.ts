import type { BrowserTime } from "@/lib/client/clock";

/** Keeps a screen on and prevents burn-in: no screen lock, no pointer, imperceptible movement. */

const AWAKE_EVERY_MS = 60_000;
const POINTER_MS = 5_000;
/** One pixel every four minutes, through all positions within 2 px and back again: 3 h 12 m in total. */
const SHIFT_EVERY_MS = 4 * 60_000;
const REACH_PX = 2;
const SIDE = 2 * REACH_PX + 1;

/**
 * Offset of the picture at a time, against burn-in: to and fro through a square of positions.
 * @returns CSS pixels, each from -2 to 2; successive positions are one pixel apart
 */
export function shiftPx(nowMs: number): { x: number; y: number } {
  const last = SIDE * SIDE - 1;
  const turn = Math.floor(nowMs / SHIFT_EVERY_MS) % (2 * last);
  const place = turn <= last ? turn : 2 * last - turn;
  const row = Math.floor(place / SIDE);
  const column = place % SIDE;
  return { x: (row % 2 === 0 ? column : SIDE - 1 - column) - REACH_PX, y: row - REACH_PX };
}

/** Keeps the screen on while the page is visible, if the browser can (over https). Returns a function to stop. */
export function keepAwake(
  page: { document: Document; navigator: Partial<Pick<Navigator, "wakeLock">> },
  time: Pick<BrowserTime, "setTimer">,
): () => void {
  let lock: WakeLockSentinel | null = null;
  let isAsking = false;
  let isStopped = false;
  let stopTimer = () => {};
  // Power saving may release the lock at any time, without an event.
  const hold = async () => {
    const { wakeLock } = page.navigator;
    const isHeld = lock !== null && !lock.released;
    const isVisible = page.document.visibilityState === "visible";
    if (wakeLock === undefined || isHeld || isAsking || !isVisible) return;
    isAsking = true;
    const held = await wakeLock.request("screen").catch(() => null);
    isAsking = false;
    if (isStopped) await held?.release();
    else lock = held;
  };
  const look = () => {
    void hold();
    stopTimer();
    stopTimer = time.setTimer(look, AWAKE_EVERY_MS);
  };
  page.document.addEventListener("visibilitychange", look);
  look();
  return () => {
    isStopped = true;
    stopTimer();
    page.document.removeEventListener("visibilitychange", look);
    void lock?.release();
  };
}

/** Hides the pointer when it hasn't moved for a while. Returns a function to stop. */
export function hideIdlePointer(
  element: HTMLElement,
  time: Pick<BrowserTime, "setTimer">,
): () => void {
  let stopTimer = () => {};
  const moved = () => {
    element.style.cursor = "";
    stopTimer();
    stopTimer = time.setTimer(() => {
      element.style.cursor = "none";
    }, POINTER_MS);
  };
  element.addEventListener("pointermove", moved);
  moved();
  return () => {
    stopTimer();
    element.style.cursor = "";
    element.removeEventListener("pointermove", moved);
  };
}
