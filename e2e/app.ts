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

const START_LIMIT_MS = 200_000;

/** A built Plumbline in its own process, on a free port. */
export type App = {
  /** The address that it printed after `address:`. */
  address: string;
  dataDir: string;
  process: ChildProcess;
  /** All output so far, both streams. */
  output(): string;
  /** Sends a signal and resolves to the exit code (null when a signal ended it). */
  end(signal?: NodeJS.Signals): Promise<number | null>;
};

/** A running Plumbline that the caller doesn't own. */
export type RunningApp = Pick<App, "address" | "dataDir">;

/**
 * The Plumbline with demo companies that all files of a run share. Tests may only change their own
 * sessions, people and displays, and allowances that they remove; others start their own app.
 */
export function demoApp(): RunningApp {
  return JSON.parse(process.env["E2E_DEMO_APP"] ?? "null") as RunningApp;
}

/**
 * Starts the built app as `npm start` does.
 * @param env added to an environment without any of the caller's configuration
 * @param dataDir kept by the caller when given, else a new one that is removed with the process
 * @param folder contains another `server.mjs`, which is then started from elsewhere
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

/** Environment that connects an app to a test upstream, as the company `main`. */
export function connectedTo({
  baseUrl,
  clientId,
  clientSecret,
}: Pick<MisbehavingUpstream, "baseUrl" | "clientId" | "clientSecret">): Record<string, string> {
  return { V3_BASE_URL: baseUrl, V3_CLIENT_ID: clientId, V3_CLIENT_SECRET: clientSecret };
}

/**
 * Environment that connects an app to several test upstreams.
 * @param file path for the connections file
 * @param upstreams by company slug
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

/** An upstream address where nothing listens. */
export const NO_UPSTREAM = {
  V3_BASE_URL: "http://127.0.0.1:9",
  V3_CLIENT_ID: "nobody",
  V3_CLIENT_SECRET: "nobody",
} as const;

/** For tests that aren't about our own budget, which would only slow them down. */
export const AMPLE_BUDGET = {
  V3_POLL_SECONDS: "1",
  V3_REQUESTS_PER_MINUTE: "6000",
  V3_TOKEN_REQUESTS_PER_MINUTE: "1000",
  // Otherwise the embedded API would allow a poll per second for less than a minute, and then leave
  // every company blind until the next.
  V3_RATE_LIMIT_PER_MINUTE: "6000",
  V3_TOKEN_RATE_LIMIT_PER_MINUTE: "1000",
} as const;

type Credentials = { email: string; password: string };

/**
 * Signs in through the form, and waits until the next page is hydrated.
 * @param person from `addPerson`; default: the first administrator
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

/** Waits until the page is hydrated; at once for pages without the framework's scripts. */
async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      !("__next_f" in globalThis) ||
      Object.keys(document.querySelector("main") ?? document.body).some((key) =>
        key.startsWith("__reactFiber$"),
      ),
  );
}

/** Session cookies by e-mail address, per app. */
const sessions = new WeakMap<RunningApp, Map<string, Cookie[]>>();

/**
 * Signs a page in without opening it: by the form's requests the first time, then by reusing that
 * session while it lasts. A confirmed password or a sign-out in an earlier test ends it.
 * @param person from `addPerson`; default: the first administrator
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

/**
 * Signs in by the form's requests; everything that shares the cookies of `request` is then signed
 * in.
 */
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
 * Opens a page as a signed-in person, and waits until it is hydrated.
 * @param person from `addPerson`; default: the first administrator
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

/** Works on the embedded database of a running app. */
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

/** Adds a person who may see one company. */
export async function addPerson(
  app: RunningApp,
  { name, role, company }: { name: string; role: Role; company: string | readonly string[] },
): Promise<Credentials> {
  const email = `${role}.${randomUUID()}@example.com`;
  const passwordHash = await hashPassword(ADMIN.password);
  const companies = role === "administrator" ? [null] : [company].flat();
  const grants = companies.map((one) => ({ role, company: one }));
  await onRecord(app, ({ orm }) => createPerson(orm, { email, name, grants, passwordHash }));
  return { email, password: ADMIN.password };
}

/** The minified axe, half the size of the default: it is sent to every page once. */
const AXE = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** axe rules about colours: the only ones that the dark form, with equal elements, can break. */
const RULES_OF_COLOUR = ["color-contrast", "link-in-text-block"];

/** Asserts that axe and our content security policy report nothing on the current page. */
export async function expectNoViolation(page: Page): Promise<void> {
  expect(await axeViolations(page, {})).toEqual([]);
  expect(await policyViolations(page)).toEqual([]);
}

/**
 * @param options axe's own
 * @param inside selector of the part to check; empty: the whole page
 */
async function axeViolations(
  page: Page,
  options: Parameters<AxeBuilder["options"]>[0],
  inside = "",
) {
  // During client-side navigation the framework removes the old title just before it sets the new
  // one.
  await expect(page).not.toHaveTitle("");
  // Colours in transition are meaningless: waits for finite animations to end.
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
  // Skips reporting of passes and axe's separate result page, which both take longer than the
  // analysis.
  const axe = new AxeBuilder({ page, axeSource: isThere ? "0" : AXE })
    .setLegacyMode()
    .options({ resultTypes: ["violations"], ...options });
  if (inside !== "") axe.include(inside);
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}

/** The forms in which every page is checked; pages open in the first. */
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

/** By how many pixels a page is wider than its window. */
export function sidewaysPx(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
}

/**
 * `expectNoViolation` in every form of the open page, which returns to light and wide afterwards.
 * The dark form only differs in colour values, so only colour rules are checked again; the phone
 * form has these colours in another layout, so everything else is. The server's HTML is equal in
 * all of them.
 * @param more further assertions for each form
 * @param popup selector of a popup over a page that was checked in every form before: in dark and
 *   phone form only the popup is checked
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

/** The background colour. */
const paperOf = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);

/** Content security policy violations on this page since it was opened. */
export async function policyViolations(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const observer = new ReportingObserver(() => {}, { types: ["csp-violation"], buffered: true });
    observer.observe();
    const reports = observer.takeRecords();
    observer.disconnect();
    return reports.map(({ body }) => JSON.stringify(body));
  });
}

/** Waits for the first complete snapshot of a company. */
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
 * Opens a page whose scripts are held back until the returned function is called.
 * @param drawn content that the page has without them
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

/** Opens the page's *Share* menu. */
export async function shareMenu(page: Page): Promise<Locator> {
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const menu = page.getByRole("dialog", { name: "Share", exact: true });
  await expect(menu).toBeVisible();
  return menu;
}
