import { rowFixture } from "@/lib/contracts/row-fixture";
import type { MadeLink } from "@/lib/contracts/links";
import { createSnapshots } from "@/lib/server/collector/snapshots";
import * as linksRoute from "@/app/api/companies/[company]/links/route";
import * as pictureRoute from "@/app/api/previews/[preview]/[name]/route";
import * as sharedPageRoute from "@/app/s/[token]/route";
import {
  createAuthFixture,
  createBrowser,
  withParams,
  type AuthFixture,
} from "@/lib/server/gate/auth-fixture";
import type { AuthRuntime } from "@/lib/server/auth/auth";
import type { Runtime } from "@/lib/server/running";
import { createRecentlyViewed } from "@/lib/server/recently-viewed";
import { MINUTE_MS } from "@/lib/domain/time/units";

/** Where handlers find the runtime. */
const RUNTIME = Symbol.for("plumbline.runtime");

type Browser = ReturnType<typeof createBrowser>;

/** Strings that no page of a link to Procore at Northgate may contain. */
export const CANARIES = [
  "harbour",
  "Harbour",
  "canary-partner",
  "canary_endpoint",
  "ep-procore",
  "canary-calls",
  "@example.com",
  "77123",
  "Customer board",
] as const;

/** Another endpoint of Procore. `minutes`: age of its data. */
type More = { id: string; status: string; minutes: number };

export type LinksFixture = AuthFixture & {
  member: Browser;
  other: Browser;
  admin: Browser;
  viewer: Browser;
  /** Publishes a snapshot of Northgate now: `daily_logs` is late unless `isWell`. */
  publish(isWell?: boolean, more?: readonly More[]): void;
  make(by: Browser, body?: Record<string, unknown>): Promise<Response>;
  made(by?: Browser, body?: Record<string, unknown>): Promise<MadeLink & { token: string }>;
  /** Opens a link path without a session, from `address` if given. */
  open(path: string, init?: RequestInit & { address?: string }): Promise<Response>;
  /** Starts another process on the same database; handlers use it from now on. */
  switchInstance(): void;
};

/** A Plumbline behind our real handlers, with two partners at Northgate. */
export async function createLinksFixture(): Promise<LinksFixture> {
  const fixture = await createAuthFixture();
  const { database, clock } = fixture;
  const instance = (of: AuthRuntime) => ({
    ...of,
    database,
    clock,
    recentlyViewed: createRecentlyViewed({ clock }),
    recording: { stopped: () => null },
    config: { pollSeconds: 60 },
    snapshots: createSnapshots({ database, clock, log: of.log }),
  });
  const first = instance(fixture.runtime);
  const shared: { current: ReturnType<typeof instance> } = { current: first };
  Reflect.set(globalThis, RUNTIME, shared);

  const signedIn = async (email: string, role: Parameters<typeof fixture.addPerson>[1]) => {
    const everywhere = role === "administrator";
    await fixture.addPerson(email, role, [everywhere ? null : "northgate"]);
    const browser = createBrowser(first);
    await browser.signIn(email);
    return browser;
  };
  const member = await signedIn("ana@example.com", "member");
  const other = await signedIn("bo@example.com", "member");
  const admin = await signedIn("ada@example.com", "administrator");
  const viewer = await signedIn("vera@example.com", "viewer");

  const ago = (minutes: number) => new Date(clock.nowMs() - minutes * MINUTE_MS).toISOString();
  const row = (id: string, partner: string, endpoint: string, minutes: number) =>
    rowFixture({
      id,
      partner_name: partner,
      endpoint_key: endpoint,
      frequency_minutes: 60,
      last_updated_at: ago(minutes),
      verdict: minutes > 60 ? "late" : "fresh",
      api_calls_last_24h: 77_123,
    });
  function publish(isWell = false, more: readonly More[] = []) {
    shared.current.snapshots.publish({
      company: "northgate",
      state: {
        version: 1,
        asOfMs: clock.nowMs(),
        lastAttemptMs: clock.nowMs(),
        reason: null,
        rhythmSeconds: 60,
        nextRefreshMs: clock.nowMs() + MINUTE_MS,
        apiClockOffsetMs: 0,
        totalPages: 1,
        rateLimit: null,
        budget: { used: 1, limit: 60 },
      },
      rows: [
        row("ep-procore-1", "Procore", "daily_logs", isWell ? 5 : 130),
        row("ep-procore-2", "Procore", "rfis<b>", 7),
        row("ep-canary", "canary-partner", "canary_endpoint", 9),
        ...more.map(({ id, status, minutes }) => ({ ...row(id, "Procore", id, minutes), status })),
      ],
    });
  }
  publish();

  const make: LinksFixture["make"] = (by, body = {}) =>
    by.send(linksRoute.POST, "/api/companies/northgate/links", {
      body: { partner: "Procore", shows: "both", days: 7, ...body },
      params: { company: "northgate" },
    });

  return {
    ...fixture,
    member,
    other,
    admin,
    viewer,
    publish,
    make,
    async made(by = member, body = {}) {
      const answer = (await (await make(by, body)).json()) as MadeLink;
      return { ...answer, token: answer.url.split("/").at(-1) ?? "" };
    },
    async open(path, { address = "198.51.100.7", ...init } = {}) {
      const browser = createBrowser(shared.current, { address });
      const request = browser.request(path, init);
      if (new Headers(init.headers).get("cookie") === null) request.headers.delete("cookie");
      const [kind, of = "", name = ""] = path.split("/").slice(path.startsWith("/api/") ? 2 : 1);
      if (kind === "previews") return pictureRoute.GET(request, withParams({ preview: of, name }));
      const handler = init.method === "POST" ? sharedPageRoute.POST : sharedPageRoute.GET;
      return handler(request, withParams({ token: of }));
    },
    switchInstance() {
      shared.current = instance(fixture.anotherInstance());
      publish();
    },
    drop() {
      Reflect.deleteProperty(globalThis, RUNTIME);
      return fixture.drop();
    },
  } satisfies LinksFixture & { readonly runtime: AuthRuntime | Runtime };
}
