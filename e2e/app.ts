import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import { resolve as resolvePath, join } from "node:path";
import { createInterface } from "node:readline";
import { AxeBuilder } from "@axe-core/playwright";
import {
  expect,
  type APIRequestContext,
  type Cookie,
  type Locator,
  type Page,
} from "@playwright/test";
import pino from "pino";
import type { SyncStatusView } from "@/lib/contracts/dashboard";
import { hashPassword } from "@/lib/server/auth/passwords";
import { openDatabase } from "@/lib/server/store/connect";
import type { Database } from "@/lib/server/store/database";
import { startEmbeddedPostgres } from "@/lib/server/store/embedded/start-embedded-postgres";
import { createPerson } from "@/lib/server/store/people/people";
import type { Role } from "@/lib/domain/rights";
import type { MisbehavingUpstream } from "./upstream/misbehaving-upstream";

export const ADMIN = { email: "ana.rask@example.com", password: "copper kettle nineteen windows" };

const START_LIMIT_MS = 120_000;

/** A built Plumbline in a process of its own, on a free port. */
export type App = {
  /** What it printed after `address:`. */
  address: string;
  dataDir: string;
  process: ChildProcess;
  /** Everything it wrote so far, both streams. */
  output(): string;
  /** Sends a signal and resolves with the exit code (null when a signal ended it). */
  end(signal?: NodeJS.Signals): Promise<number | null>;
};

/** A Plumbline that somebody else started, and ends. */
export type RunningApp = Pick<App, "address" | "dataDir">;

/**
 * The one Plumbline with its demo companies that the files of a run share. They read it: who changes more than
 * sessions, people and displays of their own, or stops it, starts an app of their own.
 */
export function demoApp(): RunningApp {
  return JSON.parse(process.env["E2E_DEMO_APP"] ?? "null") as RunningApp;
}

/**
 * Starts the built app as `npm start` does.
 * @param env added to an environment that holds nothing of the caller's configuration
 * @param dataDir kept by the caller when given, else a fresh one that goes with the process
 * @param folder holds another `server.mjs`, which is then started from elsewhere
 */
export async function startApp(
  env: Record<string, string> = {},
  dataDir?: string,
  folder?: string,
): Promise<App> {
  const directory = dataDir ?? mkdtempSync(join(os.tmpdir(), "plumbline-e2e-"));
  const child = spawn(process.execPath, [join(folder ?? "", "server.mjs")], {
    cwd: folder === undefined ? resolvePath(import.meta.dirname, "..") : "/",
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_ENV: "production",
      PORT: "0",
      DATA_DIR: directory,
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      ...env,
    },
  });
  const lines: string[] = [];
  const exited = new Promise<number | null>((resolve) => {
    child.once("exit", (code) => {
      if (dataDir === undefined) rmSync(directory, { recursive: true, force: true });
      resolve(code);
    });
  });
  const address = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`not ready:\n${lines.join("\n")}`));
    }, START_LIMIT_MS);
    const listen = (line: string) => {
      lines.push(line);
      const found = /^address: (\S+)$/.exec(line)?.[1];
      if (found === undefined) return;
      clearTimeout(timer);
      resolve(found);
    };
    createInterface(child.stdout).on("line", listen);
    createInterface(child.stderr).on("line", listen);
    child.once("exit", (code) => {
      clearTimeout(timer);
      reject(new Error(`ended with ${code}:\n${lines.join("\n")}`));
    });
  });
  return {
    address,
    dataDir: directory,
    process: child,
    output: () => lines.join("\n"),
    end(signal = "SIGTERM") {
      child.kill(signal);
      return exited;
    },
  };
}

/** What connects an app to an upstream that answers in a test, as the company `main`. */
export function connectedTo({
  baseUrl,
  clientId,
  clientSecret,
}: Pick<MisbehavingUpstream, "baseUrl" | "clientId" | "clientSecret">): Record<string, string> {
  return { V3_BASE_URL: baseUrl, V3_CLIENT_ID: clientId, V3_CLIENT_SECRET: clientSecret };
}

/**
 * What connects an app to several such upstreams.
 * @param file where the list of them is written
 * @param upstreams by the slug of their company
 */
export function connectedToAll(
  file: string,
  upstreams: Readonly<Record<string, MisbehavingUpstream>>,
): Record<string, string> {
  const entries = Object.entries(upstreams).map(([slug, { baseUrl, clientId, clientSecret }]) => ({
    slug,
    name: slug,
    base_url: baseUrl,
    client_id: clientId,
    client_secret: clientSecret,
  }));
  writeFileSync(file, JSON.stringify(entries));
  return { CONNECTIONS_FILE: file };
}

/** An upstream where nothing listens. */
export const NO_UPSTREAM = {
  V3_BASE_URL: "http://127.0.0.1:9",
  V3_CLIENT_ID: "nobody",
  V3_CLIENT_SECRET: "nobody",
} as const;

/** Where what is waited for is not our own budget: it would only make the test longer. */
export const AMPLE_BUDGET = {
  V3_POLL_SECONDS: "1",
  V3_REQUESTS_PER_MINUTE: "6000",
  V3_TOKEN_REQUESTS_PER_MINUTE: "1000",
  // The embedded API would else allow a poll a second for less than a minute, and every company is blind until the next.
  V3_RATE_LIMIT_PER_MINUTE: "6000",
  V3_TOKEN_RATE_LIMIT_PER_MINUTE: "1000",
} as const;

type Credentials = { email: string; password: string };

/**
 * Signs in through the page, as a person does, and waits until the page after it is there and hears what is pressed.
 * @param person from `addPerson`; the first administrator unless given
 */
export async function signInByForm(
  page: Page,
  app: RunningApp,
  path = "/",
  person: Credentials = ADMIN,
): Promise<void> {
  await page.goto(`${app.address}${path}`);
  await page.getByLabel("Work email").fill(person.email);
  await page.getByLabel("Password").fill(person.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).not.toHaveURL(/\/signin/);
  await hydrated(page);
}

/** Waits until the page hears what is pressed; at once where it has no scripts of the framework. */
async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      !("__next_f" in globalThis) ||
      Object.keys(document.querySelector("main") ?? document.body).some((key) =>
        key.startsWith("__reactFiber$"),
      ),
  );
}

/** What a browser got when somebody signed in, by their address. */
const sessions = new WeakMap<RunningApp, Map<string, Cookie[]>>();

/**
 * Signs a page in without opening it: by the requests of the form the first time, then with that session for as long
 * as it lasts. A confirmed password or a sign-out in an earlier test ends it.
 * @param person from `addPerson`; the first administrator unless given
 */
export async function beSignedIn(
  page: Page,
  app: RunningApp,
  { email, password }: Credentials = ADMIN,
): Promise<void> {
  const known = sessions.get(app) ?? new Map<string, Cookie[]>();
  sessions.set(app, known);
  const session = known.get(email);
  if (session !== undefined) {
    await page.context().addCookies(session);
    if ((await page.context().request.get(`${app.address}/api/me`)).ok()) return;
  }
  await signInByRequest(page.context().request, app, { email, password });
  known.set(email, await page.context().cookies());
}

/** Signs in by the requests that the form makes; whoever shares the cookies of `request` is signed in from then on. */
export async function signInByRequest(
  request: APIRequestContext,
  app: RunningApp,
  { email, password }: Credentials = ADMIN,
): Promise<void> {
  const auth = `${app.address}/api/auth`;
  const { csrfToken } = (await (await request.get(`${auth}/csrf`)).json()) as { csrfToken: string };
  const answer = await request.post(`${auth}/callback/credentials`, {
    headers: { Origin: app.address },
    form: { email, password, csrfToken, callbackUrl: "/", json: "true" },
  });
  expect(answer.status()).toBe(200);
}

/**
 * Opens a page as somebody who is signed in, and waits until it hears what is pressed.
 * @param person from `addPerson`; the first administrator unless given
 */
export async function signIn(
  page: Page,
  app: RunningApp,
  path = "/",
  person: Credentials = ADMIN,
): Promise<void> {
  await beSignedIn(page, app, person);
  await page.goto(`${app.address}${path}`);
  await hydrated(page);
}

/** Works on the record of an app that uses its own embedded database, beside it. */
export async function onRecord<T>(
  app: RunningApp,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const log = pino({ level: "silent" });
  const embedded = await startEmbeddedPostgres({ dataDir: app.dataDir, log });
  const database = await openDatabase(embedded.connectionString, { log, max: 1 });
  try {
    return await work(database);
  } finally {
    await database.close();
    await embedded.stop();
  }
}

/** Lets one more person sign in who may see one company. */
export async function addPerson(
  app: RunningApp,
  { name, role, company }: { name: string; role: Role; company: string },
): Promise<Credentials> {
  const email = `${role}.${randomUUID()}@example.com`;
  const passwordHash = await hashPassword(ADMIN.password);
  const grants = [{ role, company: role === "administrator" ? null : company }];
  await onRecord(app, ({ orm }) => createPerson(orm, { email, name, grants, passwordHash }));
  return { email, password: ADMIN.password };
}

/** The same as it comes by itself, at half the length: every page is sent it once. */
const AXE = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** What axe finds by colours, and the dark form, which has the same elements in other colours, can break. */
const RULES_OF_COLOUR = ["color-contrast", "link-in-text-block"];

/** Expects no violation of axe's rules and of our content security policy on the page as it is now. */
export async function expectNoViolation(page: Page): Promise<void> {
  expect(await axeViolations(page, {})).toEqual([]);
  expect(await policyViolations(page)).toEqual([]);
}

/**
 * @param options axe's own
 * @param inside a selector of the only part that is looked at; empty: the whole page
 */
async function axeViolations(
  page: Page,
  options: Parameters<AxeBuilder["options"]>[0],
  inside = "",
) {
  // Between two pages of ours the framework takes the old title away a moment before it brings the new one.
  await expect(page).not.toHaveTitle("");
  // A colour on its way to another is neither: what moves only once has come to its end before it is judged.
  const isThere = await page.evaluate(async () => {
    const moving = document
      .getAnimations()
      .filter(
        ({ effect, playState }) =>
          playState === "running" && effect?.getComputedTiming().endTime !== Infinity,
      );
    await Promise.allSettled(moving.map(({ finished }) => finished));
    return "axe" in window;
  });
  // What passed is not told one by one, nor merged on a page of its own: both take longer than the analysis.
  const axe = new AxeBuilder({ page, axeSource: isThere ? "0" : AXE })
    .setLegacyMode()
    .options({ resultTypes: ["violations"], ...options });
  if (inside !== "") axe.include(inside);
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}

/** The forms in which every page is looked at; the first is what a page is opened in. */
const FORMS = {
  light: { colorScheme: "light", viewport: { width: 1440, height: 900 } },
  dark: { colorScheme: "dark", viewport: { width: 1440, height: 900 } },
  phone: { colorScheme: "light", viewport: { width: 390, height: 844 } },
} as const;
export type Form = keyof typeof FORMS;
export const PHONE = FORMS.phone.viewport;

/** Shows an open page in one of its forms. */
export async function showAs(page: Page, form: Form): Promise<void> {
  const { colorScheme, viewport } = FORMS[form];
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize(viewport);
}

/**
 * `expectNoViolation` in every form of the open page, which goes through them as it is, and is light and wide
 * again after it. The dark form differs from the light one by the values of colours and by nothing else, so
 * only what depends on colours is looked at anew; the phone's has those colours in another shape, so
 * everything else is. What the server sent is the same in all of them.
 * @param more what else has to hold in each form
 * @param popup a selector of what opened over a page that was looked at in every form before: in the dark and on
 *   the phone only that is looked at
 */
export async function expectNoViolationInAnyForm(
  page: Page,
  more: (form: Form) => Promise<void> = async () => {},
  popup = "",
): Promise<void> {
  await showAs(page, "light");
  await more("light");
  await expectNoViolation(page);
  const lightPaper = await paperOf(page);

  await showAs(page, "dark");
  expect(await paperOf(page)).not.toBe(lightPaper);
  await more("dark");
  const ofColour = { runOnly: { type: "rule", values: RULES_OF_COLOUR } } as const;
  expect(await axeViolations(page, ofColour, popup)).toEqual([]);

  await showAs(page, "phone");
  await more("phone");
  const exceptColour = Object.fromEntries(
    RULES_OF_COLOUR.map((rule) => [rule, { enabled: false }]),
  );
  expect(await axeViolations(page, { rules: exceptColour }, popup)).toEqual([]);
  expect(await policyViolations(page)).toEqual([]);
  await showAs(page, "light");
}

/** The colour behind everything. */
const paperOf = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);

/** What the browser refused on this page, since it was opened, for our content security policy. */
export async function policyViolations(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const observer = new ReportingObserver(() => {}, { types: ["csp-violation"], buffered: true });
    observer.observe();
    const reports = observer.takeRecords();
    observer.disconnect();
    return reports.map(({ body }) => JSON.stringify(body));
  });
}

/** The first complete snapshot of a company, waited for. */
export async function syncStatus(
  page: Page,
  app: RunningApp,
  company: string,
): Promise<SyncStatusView> {
  const read = async (): Promise<SyncStatusView> =>
    (await page.request.get(`${app.address}/api/companies/${company}/sync-status`)).json();
  await expect.poll(async () => (await read()).as_of).not.toBeNull();
  return read();
}

/**
 * Opens a page whose scripts do not arrive before they are let go, which calling the answer does.
 * @param drawn what stands on the page without them
 */
export async function openWithoutScripts(
  page: Page,
  address: string,
  drawn: Locator,
): Promise<() => void> {
  let wake = () => {};
  const awake = new Promise<void>((resolve) => (wake = resolve));
  await page.route("**/_next/static/**/*.js", async (route) => {
    await awake;
    await route.continue();
  });
  await page.goto(address, { waitUntil: "commit" });
  await expect(drawn).toBeVisible();
  return wake;
}
