import path from "node:path";
import { expect } from "vitest";
import { hasRight, ROLES, type Grant, type Role } from "@/lib/domain/rights";
import { DAY_MS } from "@/lib/domain/time/units";
import { RECHECK_MS } from "@/lib/server/auth/revalidating-cache";
import { TOKEN_PER_MINUTE } from "@/lib/server/auth/tokens/token-turns";
import { scanRoutes } from "@/lib/server/http/routes/route-manifest.mjs";
import { people } from "@/lib/server/store/schema/people";
import { apiTokens } from "@/lib/server/store/schema/tokens";
import { createBrowser, createTestApp, testWithApp, type TestApp } from "./app-fixture";
import { createHandler, type PersonSpec } from "./route";
import { routesAt } from "./routes-fixture";
import { createProgram, createToken } from "./token-fixture";

// Access with API tokens: every address for people, by role, scope and state of the token.

const COMPANY = "northgate";
const ELSEWHERE = "harbour";
const manifest = scanRoutes(path.resolve(import.meta.dirname, "../../.."));

const test = testWithApp(async (): Promise<TestApp> => {
  const app = await createTestApp();
  app.serve(app.runtime);
  return app;
});

type Target = { address: string; method: string; spec: PersonSpec; company: string | null };

async function targets(): Promise<Target[]> {
  const found: Target[] = [];
  for (const address of Object.keys(manifest)) {
    for (const [method, { spec }] of Object.entries(await routesAt(address))) {
      if (spec === undefined || "principal" in spec) continue;
      const companies = address.includes("[company]") ? [COMPANY, ELSEWHERE] : [null];
      found.push(...companies.map((company) => ({ address, method, spec, company })));
    }
  }
  return found;
}

/** Sends a request to the target with an operation that does nothing. */
async function statusOf({ runtime }: TestApp, token: string, target: Target): Promise<number> {
  const { address, method, spec, company } = target;
  const handler = createHandler(
    () => runtime,
    spec,
    () => ({}),
  );
  const params = company === null ? {} : { company };
  const at = address.replace("[company]", company ?? "").replaceAll(/\[[^\]]+\]/g, "0");
  const sent = method === "GET" ? { method } : { method, body: {} };
  const answer = await createProgram(runtime, token).ask(handler, at, { params, ...sent });
  return answer.status;
}

function expectedStatus(
  { spec, company }: Target,
  { scope, grants }: { scope: "read" | "act"; grants: readonly Grant[] },
): number {
  if (company !== null && !hasRight(grants, "view", company)) return 404;
  if (spec.tokens === undefined || (spec.tokens === "act" && scope === "read")) return 403;
  if (spec.right !== null && !hasRight(grants, spec.right, company)) return 403;
  return spec.status ?? 200;
}

/** Tokens for so many requests, because each may send only a limited number a minute. */
async function tokensFor(
  app: TestApp,
  email: string,
  scope: "read" | "act",
  requests: number,
): Promise<string[]> {
  const browser = createBrowser(app.runtime);
  await browser.signIn(email);
  const made: string[] = [];
  while (made.length * TOKEN_PER_MINUTE < requests)
    made.push((await createToken(browser, { scope })).token);
  return made;
}

const grantsOf = (role: Role): Grant[] => [
  { role, company: role === "administrator" ? null : COMPANY },
];

for (const role of ROLES) {
  for (const scope of role === "viewer" ? (["read"] as const) : (["read", "act"] as const)) {
    test(`lets a token of scope ${scope} do what its ${role} may, and no more`, async ({ app }) => {
      const email = `${role}-${scope}@example.com`;
      await app.addPerson(email, role, role === "administrator" ? undefined : [COMPANY]);
      const all = await targets();
      const tokens = await tokensFor(app, email, scope, all.length);
      const actual: string[] = [];
      const expected: string[] = [];
      for (const [at, target] of all.entries()) {
        const token = tokens[Math.floor(at / TOKEN_PER_MINUTE)] ?? "";
        const cell = `${target.method} ${target.address} of ${target.company}`;
        actual.push(`${cell}: ${await statusOf(app, token, target)}`);
        expected.push(`${cell}: ${expectedStatus(target, { scope, grants: grantsOf(role) })}`);
      }
      expect(actual).toEqual(expected);
      expect(actual.filter((cell) => cell.endsWith(": 200")).length).toBeGreaterThan(20);
    });
  }
}

const ENDS: Readonly<Record<string, (app: TestApp) => Promise<unknown>>> = {
  revoked: ({ database }) => database.orm.update(apiTokens).set({ revokedAt: new Date(0) }),
  expired: ({ database }) =>
    database.orm.update(apiTokens).set({ expiresAt: new Date(Date.now() - DAY_MS) }),
  "whose person is disabled": ({ database }) =>
    database.orm.update(people).set({ disabledAt: new Date(0) }),
};

for (const [state, end] of Object.entries(ENDS)) {
  test(`refuses a token ${state} at every address`, async ({ app }) => {
    const email = `${state.replaceAll(" ", "-")}@example.com`;
    await app.addPerson(email, "administrator");
    const all = await targets();
    const tokens = await tokensFor(app, email, "act", all.length);
    await end(app);
    await app.clock.advance(RECHECK_MS + 1);
    const statuses = new Set<number>();
    for (const [at, target] of all.entries())
      statuses.add(await statusOf(app, tokens[Math.floor(at / TOKEN_PER_MINUTE)] ?? "", target));
    expect([...statuses]).toEqual([401]);
  });
}
