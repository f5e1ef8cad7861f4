import { describe, expect } from "vitest";
import { RECHECK_MS } from "@/lib/server/auth/revalidating-cache";
import { toWebResponse } from "@/lib/server/http/handler-response";
import { APP_URL, appTest, createBrowser, type TestApp } from "./app-fixture";
import { createDisplayApp, type DisplayApp } from "./display-fixture";
import { visitPage } from "./page-visit";

const test = appTest();
let signedIn: ReturnType<typeof createBrowser>;
test.beforeAll(async ({ app }) => {
  await app.addPerson("ana@example.com", "viewer", ["northgate"]);
  signedIn = createBrowser(app.runtime);
  await signedIn.signIn("ana@example.com");
});

const always: Parameters<typeof visitPage>[2] = { take: () => ({ allowed: true }) };
const PAGES = [
  "/",
  "/northgate",
  "/settings/people",
  "/wall",
  "/northgate/wall",
  "/signin",
  "/pair",
];
const BOT = "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)";

const WALLS = ["/wall", "/wall/plain", "/northgate/wall"];

async function withPairedScreen(
  work: (displays: DisplayApp, screen: ReturnType<DisplayApp["screen"]>) => Promise<void>,
): Promise<void> {
  const displays = await createDisplayApp();
  try {
    const screen = displays.screen();
    await displays.pair(screen);
    await work(displays, screen);
  } finally {
    await displays.drop();
  }
}

/** The response instead of a page; null: the page is rendered. */
async function instead(
  app: TestApp,
  path: string,
  { by = createBrowser(app.runtime), headers = {}, pageLimit = always } = {},
): Promise<Response | null> {
  const answer = await visitPage(app.runtime, by.request(path, { headers }), pageLimit);
  return answer === null ? null : toWebResponse(answer);
}

describe("a visitor without a session", () => {
  test.for([
    ["/", "/signin"],
    ["/northgate", "/signin?callbackUrl=%2Fnorthgate"],
    ["/northgate/", "/signin?callbackUrl=%2Fnorthgate"],
    [
      "/northgate?verdict=late&_rsc=1x2&q=a%26b",
      "/signin?callbackUrl=%2Fnorthgate%3Fverdict%3Dlate%26q%3Da%2526b",
    ],
    [
      "/northgate/partners/A%2FB%20%C3%A6",
      "/signin?callbackUrl=%2Fnorthgate%2Fpartners%2FA%252FB%2520%25C3%25A6",
    ],
    ["/wall", "/pair"],
    ["/wall/plain?company=northgate", "/pair"],
    ["/northgate/wall", "/pair"],
  ] as const)(
    "at %s is redirected to %s, without rendering a page",
    async ([path, location], { app }) => {
      const answer = await instead(app, path);
      expect(answer?.status).toBe(307);
      expect(answer?.headers.get("location")).toBe(location);
      expect(answer?.headers.get("cache-control")).toBe("private, no-store");
      expect(await answer?.text()).toBe("");
    },
  );

  test("gets no session by a forged cookie", async ({ app }) => {
    const forger = createBrowser(app.runtime);
    forger.jar.set("next-auth.session-token", "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..a.b.c");
    forger.jar.set("plumbline-display", "x".repeat(43));
    expect((await instead(app, "/northgate", { by: forger }))?.status).toBe(307);
    expect((await instead(app, "/wall", { by: forger }))?.status).toBe(307);
  });

  test("gets open pages rendered up to a limit per address", async ({ app }) => {
    const addresses: string[] = [];
    const pageLimit = { take: (address: string) => ({ allowed: addresses.push(address) <= 2 }) };
    const open = [
      "/signin?callbackUrl=%2Fnorthgate",
      "/pair",
      `/signin/password/${"a".repeat(43)}`,
    ];
    const answers = await Promise.all(open.map((path) => instead(app, path, { pageLimit })));
    expect(answers.map((answer) => answer?.status)).toEqual([undefined, undefined, 429]);
    expect(answers[2]?.headers.get("retry-after")).toBe("60");
    expect(await answers[2]?.text()).toContain('<meta http-equiv="refresh" content="60">');
    expect(addresses).toEqual(["192.0.2.1", "192.0.2.1", "192.0.2.1"]);
    expect(app.logged("limit_hit")).toEqual([
      expect.objectContaining({ address: "192.0.2.1", limit: "drawn_pages" }),
    ]);
  });
});

test("renders every page for a signed-in person, without limit", async ({ app }) => {
  const never = { take: () => ({ allowed: false }) };
  for (const path of PAGES)
    expect(await instead(app, path, { by: signedIn, pageLimit: never })).toBeNull();
});

describe("while sessions can't be checked", () => {
  test.for(["/", "/northgate", "/settings/people", "/wall", "/northgate/wall", "/signin"])(
    "%s returns an explaining 503 that reloads, and doesn't redirect",
    async (path, { app }) => {
      const browser = createBrowser(app.runtime);
      await browser.signIn("ana@example.com");
      await app.whileAway("sessions", async () => {
        const answer = await instead(app, path, { by: browser });
        expect(answer?.status).toBe(503);
        expect(answer?.headers.get("retry-after")).toBe("5");
        const text = await answer?.text();
        expect(text).toContain("Plumbline can’t reach its database");
        expect(text).toContain('<meta http-equiv="refresh" content="5">');
      });
    },
  );

  test("renders pages that don't depend on the session", async ({ app }) => {
    const browser = createBrowser(app.runtime);
    await browser.signIn("ana@example.com");
    await app.whileAway("sessions", async () => {
      for (const path of ["/pair", `/signin/password/${"a".repeat(43)}`]) {
        expect(await instead(app, path, { by: browser })).toBeNull();
      }
    });
  });

  test("returns 503 to a display, and doesn't treat it as unpaired", async () => {
    await withPairedScreen(async (displays, screen) => {
      const restarted = displays.anotherInstance();
      await displays.whileAway("displays", async () => {
        for (const path of WALLS) {
          const answer = await visitPage(restarted, screen.request(path), always);
          expect(answer).toMatchObject({ status: 503 });
        }
      });
      await displays.clock.advance(RECHECK_MS);
      expect(await visitPage(restarted, screen.request("/wall"), always)).toBeNull();
    });
  });
});

test("returns the card to a link preview at every page, whatever its cookies", async ({ app }) => {
  const bot = createBrowser(app.runtime, { userAgent: BOT });
  bot.jar.set("a", "b");
  bot.jar.set("next-auth.session-token", "forged");
  for (const path of PAGES) {
    const answer = await instead(app, path, { by: bot });
    expect([path, answer?.status]).toEqual([path, 200]);
    expect(await answer?.text()).toContain(`content="${APP_URL}/preview.png"`);
  }
});

test("renders pages for a person whose browser identifies as a bot", async ({ app }) => {
  const headers = { "user-agent": BOT };
  expect(await instead(app, "/northgate", { by: signedIn, headers })).toBeNull();
});

test("renders a paired display's wall, and redirects it from every other page", async () => {
  await withPairedScreen(async (displays, screen) => {
    const visit = (path: string) => visitPage(displays.runtime, screen.request(path), always);
    for (const path of WALLS) expect(await visit(path)).toBeNull();
    expect(await visit("/northgate")).toMatchObject({ status: 307 });
  });
});
