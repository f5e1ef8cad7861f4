import * as displaysRoute from "@/app/api/displays/route";
import * as pairRoute from "@/app/api/pair/route";
import type { Display, DisplaySettings, PairingRequest, PairingView } from "@/lib/contracts/wall";
import { createBrowser, createTestApp, testWithApp, type TestApp } from "./app-fixture";

type Browser = ReturnType<typeof createBrowser>;

export const SETTINGS: DisplaySettings = {
  name: "Room 3",
  place: "Second floor",
  companies: ["northgate"],
  layout: "auto",
  theme: "dark",
  time_zone: "Europe/Copenhagen",
  expires_at: null,
};

export type DisplayApp = TestApp & {
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
export async function createDisplayApp(): Promise<DisplayApp> {
  const app = await createTestApp();
  const { runtime } = app;
  app.serve(runtime);
  await app.addPerson("ana@example.com", "administrator");
  const admin = createBrowser(runtime);
  await admin.signIn("ana@example.com");
  let screens = 0;
  return {
    ...app,
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
    switchInstance: () => app.serve(app.anotherInstance()),
  };
}

/** `test` with an `app` as above, which all tests of the file share. */
export const displayTest = () => testWithApp(createDisplayApp);
