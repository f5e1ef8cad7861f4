import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test, type APIRequestContext } from "@playwright/test";
import { z } from "zod";
import { signInByRequest, startApp, type App } from "./app";

// What programs get with a token: every answer against our own description, and the commands of the documentation.

const COMPANY = "northgate";

let app: App;
test.beforeAll(async () => {
  app = await startApp();
});
test.afterAll(() => app.end());

// The examples are of endpoints and incidents, which exist after the first checks.
test.beforeAll(async ({ request }) => {
  const token = await createToken(request, "read");
  const { json } = program(token);
  const openIncidents = async () =>
    ((await json(`/api/companies/${COMPANY}/incidents?state=open`)) as { data: unknown[] }).data;
  await expect.poll(openIncidents, { timeout: 120_000 }).not.toEqual([]);
});

async function createToken(request: APIRequestContext, scope: "read" | "act"): Promise<string> {
  await signInByRequest(request, app);
  const made = await request.post(`${app.address}/api/me/tokens`, {
    headers: { origin: app.address },
    data: { name: `Journey ${scope}`, scope, companies: "all", days: 1 },
  });
  expect(made.status()).toBe(201);
  return ((await made.json()) as { token: string }).token;
}

type Schema = Parameters<typeof z.fromJSONSchema>[0];
type Responses = Record<string, { content?: Record<string, { schema: Schema }> }>;
type Document = {
  paths: Record<string, Record<string, { responses: Responses }>>;
  components: { schemas?: Record<string, object> };
};

/** A program with a token. */
function program(token: string) {
  const ask = (address: string) =>
    fetch(`${app.address}${address}`, { headers: { authorization: `Bearer ${token}` } });
  return { ask, json: async (address: string) => (await ask(address)).json() as Promise<unknown> };
}

/** Values for the parameters of paths, and the queries that some addresses need. */
async function examples(token: string) {
  const { json } = program(token);
  const of = `/api/companies/${COMPANY}`;
  const { rows } = (await json(`${of}/sync-status`)) as {
    rows: { id: string; partner_name: string }[];
  };
  const { data: incidents } = (await json(`${of}/incidents`)) as { data: { id: number }[] };
  const { data: files } = (await json(`${of}/schedule-files`)) as { data: { id: number }[] };
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
  const idOf = (address: string) =>
    address.includes("incidents") ? incidents[0]?.id : files[0]?.id;
  return {
    fill: (address: string) =>
      address
        .replace("{company}", COMPANY)
        .replace("{partner}", encodeURIComponent(rows[0]?.partner_name ?? ""))
        .replace("{endpoint}", encodeURIComponent(rows[0]?.id ?? ""))
        .replace("{id}", String(idOf(address)))
        .replace("{deletion}", "0"),
    queries: new Map([
      ["/changes", `?since=${hourAgo}`],
      ["/at", `?at=${hourAgo}`],
    ]),
    incident: incidents[0]?.id ?? 0,
    hourAgo,
  };
}

test("answers every address as described, and errors too", async ({ request }) => {
  const token = await createToken(request, "read");
  const { ask, json } = program(token);
  const document = (await json("/api/openapi.json")) as Document;
  const { fill, queries, hourAgo } = await examples(token);
  const problems: string[] = [];
  let compared = 0;

  async function compare(address: string, responses: Responses, asked: string): Promise<void> {
    const answer = await ask(asked);
    const described = responses[String(answer.status)];
    const type = answer.headers.get("content-type")?.split(";")[0] ?? "";
    const schema = described?.content?.[type]?.schema;
    if (schema === undefined) {
      problems.push(`${address}: ${answer.status} ${type} isn't described`);
      return;
    }
    compared += 1;
    if (type !== "application/json") return;
    const inlined = JSON.parse(
      JSON.stringify({
        ...(schema as object),
        $defs: document.components.schemas ?? {},
      }).replaceAll("#/components/schemas/", "#/$defs/"),
    ) as Schema;
    const { error } = z.fromJSONSchema(inlined).safeParse(await answer.json());
    if (error !== undefined) {
      problems.push(
        ...error.issues
          .slice(0, 3)
          .map((one) => `${address}: ${one.path.join(".")} ${one.message}`),
      );
    }
  }

  for (const [address, methods] of Object.entries(document.paths)) {
    const responses = methods["get"]?.responses;
    if (responses === undefined) continue;
    const query = [...queries].find(([ending]) => address.endsWith(ending))?.[1] ?? "";
    await compare(address, responses, fill(address) + query);
    if (address.endsWith("/sync-status") || address === "/api/today")
      await compare(address, responses, `${fill(address)}?at=${hourAgo}`);
  }
  const missing =
    document.paths["/api/companies/{company}/incidents/{id}"]?.["get"]?.responses ?? {};
  await compare("a missing incident", missing, `/api/companies/${COMPANY}/incidents/999999`);
  expect(problems).toEqual([]);
  expect(compared).toBeGreaterThan(35);
});

test("accepts the commands of the documentation", async ({ request }) => {
  const docs = readFileSync(path.join(import.meta.dirname, "../docs/api.md"), "utf8");
  const commands = [...docs.matchAll(/```sh\n(curl [^\n]+)\n```/g)].map(
    ([, command = ""]) => command,
  );
  expect(commands).toHaveLength(5);
  const token = await createToken(request, "act");
  const { ask, json } = program(token);
  const { data } = (await json("/api/incidents?state=open&company=northgate")) as {
    data: { id: number }[];
  };
  const board = await ask(`/api/companies/${COMPANY}/sync-status`);
  const run = (command: string) =>
    execFileSync("sh", ["-c", `${command} -w ' %{http_code}'`], {
      encoding: "utf8",
      env: {
        ...process.env,
        PLUMBLINE: app.address,
        TOKEN: token,
        COMPANY,
        INCIDENT: String(data[0]?.id),
        ETAG: board.headers.get("etag") ?? "",
      },
    });
  for (const command of commands) expect(run(command)).toMatch(/ (?:200|304)$/);
  const { acknowledged } = (await json(`/api/companies/${COMPANY}/incidents/${data[0]?.id}`)) as {
    acknowledged: { is_you: boolean } | null;
  };
  expect(acknowledged?.is_you).toBe(true);
});

test("shows a token once on the page that creates it, and lists and revokes it", async ({
  page,
}) => {
  await signInByRequest(page.request, app);
  await page.goto(`${app.address}/settings/tokens`);
  await page.getByRole("button", { name: "Create a token" }).click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Name").fill("Nightly report");
  await form.getByRole("button", { name: /^Create “Nightly report”/ }).click();
  const made = page.getByRole("alertdialog", { name: "Token “Nightly report” created" });
  const token = await made.getByLabel("Your token").inputValue();
  expect(token).toMatch(/^plb_[\dA-Za-z]{36}$/);
  const me = await program(token).ask("/api/me");
  expect(me.status).toBe(200);
  await expect(made.getByRole("button", { name: "Done" })).toBeDisabled();
  await expect(made.getByLabel("Your token")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(made).toBeVisible();
  await made.getByLabel("I’ve stored the token").check();
  await made.getByRole("button", { name: "Done" }).click();
  await expect(made).toBeHidden();
  expect(await page.content()).not.toContain(token.slice(4, 34));
  const row = page.getByRole("row", { name: /Nightly report/ });
  await expect(row).toContainText(`plb_…${token.slice(-4)}`);
  await row.getByRole("button", { name: "Revoke: Nightly report" }).click();
  await page.getByRole("button", { name: "Revoke token" }).click();
  await expect(row).toBeHidden();
  await expect
    .poll(async () => (await program(token).ask("/api/me")).status, { timeout: 10_000 })
    .toBe(401);
});
