import { stateFixture } from "@/lib/server/operations/sync/state-fixture";
import { rowFixture } from "@/lib/contracts/row-fixture";
import type { MadeLink } from "@/lib/contracts/links";
import * as linksRoute from "@/app/api/companies/[company]/links/route";
import * as pictureRoute from "@/app/api/previews/[preview]/[name]/route";
import * as sharedPageRoute from "@/app/s/[token]/route";
import {
  createBrowser,
  createTestApp,
  testWithApp,
  withParams,
  type TestApp,
} from "@/lib/server/gate/app-fixture";
import { MINUTE_MS } from "@/lib/domain/time/units";

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

export type LinksApp = TestApp & {
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
export async function createLinksApp(): Promise<LinksApp> {
  const app = await createTestApp();
  const { clock, runtime: first } = app;
  let current = first;
  app.serve(current);

  const signedIn = async (email: string, role: Parameters<typeof app.addPerson>[1]) => {
    const everywhere = role === "administrator";
    await app.addPerson(email, role, [everywhere ? null : "northgate"]);
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
    current.snapshots.publish({
      company: "northgate",
      state: stateFixture(clock.nowMs()),
      rows: [
        row("ep-procore-1", "Procore", "daily_logs", isWell ? 5 : 130),
        row("ep-procore-2", "Procore", "rfis<b>", 7),
        row("ep-canary", "canary-partner", "canary_endpoint", 9),
        ...more.map(({ id, status, minutes }) => ({ ...row(id, "Procore", id, minutes), status })),
      ],
    });
  }
  publish();

  const make: LinksApp["make"] = (by, body = {}) =>
    by.send(linksRoute.POST, "/api/companies/northgate/links", {
      body: { partner: "Procore", shows: "both", days: 7, ...body },
      params: { company: "northgate" },
    });

  return {
    ...app,
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
      const browser = createBrowser(current, { address });
      const request = browser.request(path, init);
      if (new Headers(init.headers).get("cookie") === null) request.headers.delete("cookie");
      const [kind, of = "", name = ""] = path.split("/").slice(path.startsWith("/api/") ? 2 : 1);
      if (kind === "previews") return pictureRoute.GET(request, withParams({ preview: of, name }));
      const handler = init.method === "POST" ? sharedPageRoute.POST : sharedPageRoute.GET;
      return handler(request, withParams({ token: of }));
    },
    switchInstance() {
      current = app.anotherInstance();
      app.serve(current);
      publish();
    },
  };
}

/** `test` with an `app` as above, which all tests of the file share. */
export const linksTest = () => testWithApp(createLinksApp);
