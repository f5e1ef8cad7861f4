import type { Browser } from "playwright";
import { openBrowser } from "./browser";
import { startBare, startFloor } from "./floor";
import type { MeasuredServer } from "./measured-server";
import { startPlumbline, type Plumbline } from "./plumbline";

/** Resources shared by the parts. Each is started on first use and stopped at the end. */
export type Bench = {
  /**
   * Companies of 60, 500, 1,000 and 5,000 endpoints whose snapshots don't change. Each of their partners has an open
   * incident.
   */
  board(): Promise<Plumbline>;
  /** Bare `node:http`. */
  bare(): Promise<MeasuredServer>;
  /** The bare Next app. */
  floor(): Promise<MeasuredServer>;
  browser(): Promise<Browser>;
  stop(): Promise<void>;
};

/** Twenty minutes between checks, so that hardly any falls into a measurement. */
const POLL_SECONDS = 3600;

export function createBench(): Bench {
  const ending: (() => Promise<unknown>)[] = [];
  function once<T>(start: () => Promise<T>, stop: (thing: T) => Promise<unknown>) {
    let started: Promise<T> | null = null;
    return () => {
      started ??= start().then((thing) => {
        ending.push(() => stop(thing));
        return thing;
      });
      return started;
    };
  }
  return {
    board: once(
      () =>
        startPlumbline({
          sizes: [60, 500, 1000, 5000],
          pollSeconds: POLL_SECONDS,
          env: { INCIDENT_OPEN_MINUTES: "0" },
        }),
      (app) => app.stop(),
    ),
    bare: once(startBare, (server) => server.stop()),
    floor: once(startFloor, (app) => app.stop()),
    browser: once(openBrowser, (browser) => browser.close()),
    async stop() {
      for (const stop of ending.toReversed()) await stop();
    },
  };
}
