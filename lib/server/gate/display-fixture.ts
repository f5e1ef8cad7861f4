import * as displaysRoute from "@/app/api/displays/route";
import * as pairRoute from "@/app/api/pair/route";
import type { Display, DisplaySettings, PairingRequest, PairingView } from "@/lib/contracts/wall";
import { createRecentlyViewed } from "@/lib/server/recently-viewed";
import { createSnapshots } from "@/lib/server/collector/snapshots";
import type { ManualClock } from "@/lib/server/manual-clock";
import type { Runtime } from "@/lib/server/running";
import type { Database } from "@/lib/server/store/database";
import { createAuthFixture, createBrowser, type AuthFixture } from "./auth-fixture";
import type { AuthRuntime } from "@/lib/server/auth/auth";

/** Where handlers find the runtime; removed afterwards for other test files in the process. */
const RUNTIME = Symbol.for("plumbline.runtime");

type Browser = ReturnType<typeof createBrowser>;

/** The parts of the runtime that wall and display handlers use. */
type WallRuntime = AuthRuntime &
  Pick<Runtime, "recentlyViewed" | "build" | "snapshots"> & {
    recording: Pick<Runtime["recording"], "stopped">;
    database: Database;
    clock: ManualClock;
    config: { pollSeconds: number };
  };

export const SETTINGS: DisplaySettings = {
  name: "Room 3",
  place: "Second floor",
  companies: ["northgate"],
  layout: "auto",
  theme: "dark",
  time_zone: "Europe/Copenhagen",
  expires_at: null,
};

export type DisplayFixture = Pick<
  AuthFixture,
  | "database"
  | "clock"
  | "databaseNowMs"
  | "jumpOurs"
  | "addPerson"
  | "anotherInstance"
  | "whileAway"
  | "logged"
  | "logText"
  | "clearLog"
  | "drop"
> & {
  runtime: WallRuntime;
  /** An administrator's browser. */
  admin: Browser;
  /** A screen's browser with its own address. */
  screen(): Browser;
  /**
   * Makes the administrator enter a screen's code, with the given body; the screen then has its
   * credential.
   */
  pair(screen: Browser, body?: Partial<PairingRequest>): Promise<Display>;
  /** Starts another process on the same database; handlers use it from now on. */
  switchInstance(): void;
};

/** A Plumbline behind our real routes, with an administrator who is signed in. */
export async function createDisplayFixture(): Promise<DisplayFixture> {
  const fixture = await createAuthFixture();
  const { database, clock, runtime: auth } = fixture;
  const instance = (of: AuthRuntime): WallRuntime => ({
    ...of,
    recentlyViewed: createRecentlyViewed({ clock }),
    recording: { stopped: () => null },
    database,
    clock,
    build: "build-1",
    config: { pollSeconds: 60 },
    snapshots: createSnapshots({ database, clock, log: of.log }),
  });
  const runtime = instance(auth);
  const shared = { current: runtime };
  Reflect.set(globalThis, RUNTIME, shared);
  await fixture.addPerson("ana@example.com", "administrator");
  const admin = createBrowser(runtime);
  await admin.signIn("ana@example.com");
  let screens = 0;
  return {
    ...fixture,
    runtime,
    admin,
    screen() {
      screens += 1;
      return createBrowser(runtime, { address: `192.0.2.${100 + (screens % 100)}` });
    },
    async pair(screen, body) {
      const begun = await screen.send(pairRoute.POST, "/api/pair", { body: {} });
      const view = (await begun.json()) as PairingView;
      const code = view.state === "waiting" ? view.code : "";
      const typed = await admin.send(displaysRoute.POST, "/api/displays", {
        body: { ...SETTINGS, code, replaces: null, ...body },
      });
      await screen.send(pairRoute.GET, "/api/pair");
      return (await typed.json()) as Display;
    },
    switchInstance() {
      shared.current = instance(fixture.anotherInstance());
    },
    drop() {
      Reflect.deleteProperty(globalThis, RUNTIME);
      return fixture.drop();
    },
  };
}
