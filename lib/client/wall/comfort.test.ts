import { describe, expect, test } from "vitest";
import { browserTimeFixture } from "@/lib/client/browser-time-fixture";
import { hideIdlePointer, keepAwake, shiftPx } from "./comfort";

const STEP_MS = 4 * 60_000;

describe("the shift against burn-in", () => {
  const places = Array.from({ length: 200 }, (_, step) => shiftPx(step * STEP_MS));

  test("visits every position within 2 px and stays within them", () => {
    const seen = new Set(places.map(({ x, y }) => `${x} ${y}`));
    expect(seen.size).toBe(25);
    for (const { x, y } of places) {
      expect(Math.max(Math.abs(x), Math.abs(y))).toBeLessThanOrEqual(2);
    }
  });

  test("moves by one pixel at a time", () => {
    for (const [step, place] of places.slice(1).entries()) {
      const before = places[step] ?? place;
      expect(Math.abs(place.x - before.x) + Math.abs(place.y - before.y)).toBe(1);
    }
  });

  test("stands still between two moves", () => {
    expect(shiftPx(10 * STEP_MS + 1)).toEqual(shiftPx(11 * STEP_MS - 1));
  });
});

/** A browser's screen lock: granted, refused, or released. */
function screen() {
  let grants = 0;
  let isRefused = false;
  let held: (EventTarget & { released: boolean }) | null = null;
  const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
  const wakeLock = {
    request() {
      if (isRefused) return Promise.reject(new Error("battery"));
      grants++;
      const lock = Object.assign(new EventTarget(), {
        released: false,
        release() {
          lock.released = true;
          return Promise.resolve();
        },
      });
      held = lock;
      return Promise.resolve(lock);
    },
  };
  return {
    page: {
      document: page as unknown as Document,
      navigator: { wakeLock: wakeLock as unknown as WakeLock },
    },
    grants: () => grants,
    isHeld: () => held?.released === false,
    refuse: (refused: boolean) => {
      isRefused = refused;
    },
    takeAway() {
      if (held !== null) held.released = true;
    },
    look(visibilityState: string) {
      page.visibilityState = visibilityState;
      page.dispatchEvent(new Event("visibilitychange"));
    },
  };
}

describe("keepAwake", () => {
  test("acquires the lock once, and again after it was released", async () => {
    const fake = browserTimeFixture();
    const tv = screen();
    keepAwake(tv.page, fake.time);
    await fake.run(180_000);
    expect(tv.grants()).toBe(1);
    tv.takeAway();
    await fake.run(60_000);
    expect(tv.grants()).toBe(2);
    expect(fake.timerCount()).toBe(1);
  });

  test("doesn't acquire it while hidden, and does at once when visible again", async () => {
    const fake = browserTimeFixture();
    const tv = screen();
    tv.look("hidden");
    keepAwake(tv.page, fake.time);
    await fake.run(120_000);
    expect(tv.grants()).toBe(0);
    tv.look("visible");
    await fake.run(1);
    expect(tv.isHeld()).toBe(true);
  });

  test("retries after a refusal, and does nothing without browser support", async () => {
    const fake = browserTimeFixture();
    const tv = screen();
    tv.refuse(true);
    keepAwake(tv.page, fake.time);
    await fake.run(60_000);
    tv.refuse(false);
    await fake.run(60_000);
    expect(tv.isHeld()).toBe(true);
    expect(() => keepAwake({ ...tv.page, navigator: {} }, fake.time)).not.toThrow();
  });

  test("releases it when the page is removed", async () => {
    const fake = browserTimeFixture();
    const tv = screen();
    const stop = keepAwake(tv.page, fake.time);
    await fake.run(1);
    stop();
    expect(tv.isHeld()).toBe(false);
    expect(fake.timerCount()).toBe(0);
  });
});

test("hides the pointer after five seconds and shows it when moved", () => {
  const fake = browserTimeFixture();
  const element = Object.assign(new EventTarget(), { style: { cursor: "" } });
  const stop = hideIdlePointer(element as unknown as HTMLElement, fake.time);
  fake.pass(5000);
  expect(element.style.cursor).toBe("none");
  element.dispatchEvent(new Event("pointermove"));
  expect(element.style.cursor).toBe("");
  fake.pass(5000);
  stop();
  expect(element.style.cursor).toBe("");
  expect(fake.timerCount()).toBe(0);
});
