import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { ALIVE, GUARD } from "./guard";

type Given = { pathname?: string; lacks?: "structuredClone" | "fetch"; isFrame?: boolean };

/** The parts of a television's browser that the guard uses. */
function browser({ pathname = "/wall", lacks, isFrame = false }: Given = {}) {
  const timers: { run: () => void; ms: number }[] = [];
  const went: string[] = [];
  const requests: string[] = [];
  let status = 200;
  const body = { hidden: true, textContent: "the picture" };
  const window: Record<string, unknown> = {
    Promise,
    fetch: () => {},
    structuredClone: () => {},
    frameElement: isFrame ? { hasAttribute: () => true } : null,
    location: { pathname, replace: (to: string) => went.push(to) },
    setTimeout: (run: () => void, ms: number) => timers.push({ run, ms }),
  };
  if (lacks !== undefined) delete window[lacks];
  class XMLHttpRequest {
    status = 0;
    onloadend = () => {};
    open(_method: string, to: string) {
      requests.push(to);
    }
    send() {
      this.status = status;
      this.onloadend();
    }
  }
  runInNewContext(GUARD, { window, document: { body }, XMLHttpRequest, Object, Array });
  return {
    window,
    went,
    requests,
    body,
    setStatus: (next: number) => {
      status = next;
    },
    nextTimer() {
      const timer = timers.shift();
      timer?.run();
      return timer?.ms ?? null;
    },
  };
}

describe("the guard of a wall's page", () => {
  test("redirects a browser without required features to the plain page at once", () => {
    expect(browser({ lacks: "structuredClone" }).went).toEqual(["/wall/plain?"]);
    expect(browser({ lacks: "fetch", pathname: "/northgate/wall" }).went).toEqual([
      "/wall/plain?company=northgate&",
    ]);
  });

  test("leaves a page alone whose scripts ran in time", () => {
    const tv = browser();
    tv.window[ALIVE] = true;
    expect(tv.nextTimer()).toBe(20_000);
    expect([tv.went, tv.requests, tv.body.textContent]).toEqual([[], [], "the picture"]);
  });

  test("removes the picture of a page whose scripts didn't run, and redirects to a page that responds", () => {
    const tv = browser();
    tv.setStatus(502);
    tv.nextTimer();
    expect(tv.body).toMatchObject({ hidden: false });
    expect(tv.body.textContent).toMatch(/^The wall couldn’t start\./);
    expect(tv.went).toEqual([]);
    tv.setStatus(200);
    expect(tv.nextTimer()).toBe(15_000);
    expect(tv.went).toEqual(["/wall/plain?again=20"]);
  });

  test("leaves the plain page and newer pages in a frame alone", () => {
    expect(browser({ pathname: "/wall/plain", lacks: "fetch" }).went).toEqual([]);
    const frame = browser({ isFrame: true, lacks: "fetch" });
    expect(frame.went).toEqual([]);
    expect(frame.nextTimer()).toBeNull();
  });

  test("is written in ES5", () => {
    expect(GUARD).not.toMatch(/=>|\b(?:let|const|class|async)\b|`/);
  });
});
