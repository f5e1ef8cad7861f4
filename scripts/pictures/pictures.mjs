// `npm run pictures`: takes a picture of every page for docs/pages.md, of the demo, from the build in `.next`. Repeat it
// after changes that people see.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "@playwright/test";
import { BROWSER_ARGS, findTestBrowser } from "../browser.mjs";
import { root } from "../steps.mjs";

const EMAIL = "ana.rask@example.com";
const PASSWORD = "copper kettle nineteen windows";
const FOLDER = path.join(root, "docs/pictures");
/** WebP's, from 0 to 100: text stays sharp, and a picture takes less than 150 kB. */
const QUALITY = 80;
const START_MS = 120_000;
/** The demo's past is written after its start. */
const PAST_MS = 600_000;

/** Entries of docs/pages.md: "## `/partners`", then the picture. */
const listed = [
  ...readFileSync(path.join(root, "docs/pages.md"), "utf8").matchAll(
    /^## .*`(\/[^`]*)`[^]*?\(pictures\/([\w-]+)\.webp\)/gm,
  ),
].map(([, address = "", name = ""]) => ({ address, name }));

const dataDir = mkdtempSync(path.join(os.tmpdir(), "plumbline-pictures-"));
const app = spawn(process.execPath, ["server.mjs"], {
  cwd: root,
  stdio: ["ignore", "pipe", "inherit"],
  env: {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NODE_ENV: "production",
    PORT: "0",
    LOG_LEVEL: "silent",
    DATA_DIR: dataDir,
    ADMIN_EMAIL: EMAIL,
    ADMIN_PASSWORD: PASSWORD,
  },
});
const ended = new Promise((resolve) => app.once("exit", resolve));
const executablePath = findTestBrowser();
const browser = await chromium.launch({
  args: BROWSER_ARGS,
  ...(executablePath !== null && { executablePath }),
});
try {
  await take(await addressOf());
} finally {
  await browser.close();
  app.kill("SIGTERM");
  await ended;
  rmSync(dataDir, { recursive: true, force: true });
}

/** @returns {Promise<string>} what the app printed as its address */
function addressOf() {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("Plumbline didn't start")), START_MS);
    app.once("exit", () => reject(new Error("Plumbline ended")));
    createInterface(app.stdout).on("line", (line) => {
      const address = /^address: (\S+)$/.exec(line)?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    });
  });
}

/** @param {string} address */
async function take(address) {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    colorScheme: "light",
    reducedMotion: "reduce",
    timezoneId: "Europe/Oslo",
  });
  const page = await context.newPage();
  mkdirSync(FOLDER, { recursive: true });
  /** @param {{ address: string, name: string }} of */
  const shoot = async ({ address: place, name }) => {
    await page.goto(address + place, { waitUntil: "networkidle" });
    await page.evaluate(() => document.fonts.ready);
    const session = await context.newCDPSession(page);
    const { data } = await session.send("Page.captureScreenshot", {
      format: "webp",
      quality: QUALITY,
    });
    writeFileSync(path.join(FOLDER, `${name}.webp`), Buffer.from(data, "base64"));
    await session.detach();
  };
  /** @param {{ address: string }} of */
  const isOpen = ({ address: place }) => /^\/(?:signin|pair)$/.test(place);
  for (const one of listed.filter(isOpen)) await shoot(one);

  await page.goto(`${address}/signin`);
  await page.getByLabel("Work email").fill(EMAIL);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((url) => !url.pathname.startsWith("/signin"));
  const parts = await partsOf(page, address);
  for (const { address: place, name } of listed.filter((one) => !isOpen(one))) {
    const whole = place.replaceAll(/\[(\w+)\]/g, (_, part) =>
      encodeURIComponent(parts[part] ?? ""),
    );
    await shoot({ address: whole, name });
  }
}

/**
 * What stands for the variable parts of addresses: of the open incident that is listed first.
 * @param {import("@playwright/test").Page} page
 * @param {string} address
 * @returns {Promise<Record<string, string>>}
 */
async function partsOf(page, address) {
  /** @param {string} place */
  const json = async (place) => (await page.request.get(`${address}/api${place}`)).json();
  const untilMs = Date.now() + PAST_MS;
  const lastMonth = new Date(new Date().setUTCDate(0)).toISOString().slice(0, 7);
  for (;;) {
    const [incident] = (await json("/incidents?state=open")).data;
    const reportOf = `/companies/${incident?.company.slug}/report?month=${lastMonth}`;
    if (incident !== undefined && (await json(reportOf)).closed) {
      const { company, partner_name: partner, members } = incident;
      const [file] = (await json(`/companies/${company.slug}/schedule-files`)).data;
      const shared = await page.request.post(`${address}/api/companies/${company.slug}/links`, {
        headers: { origin: address },
        data: { partner, shows: "both" },
      });
      return {
        company: company.slug,
        partner,
        endpoint: members[0].endpoint_id,
        id: String(incident.id),
        file: String(file.id),
        token: new URL((await shared.json()).url).pathname.split("/").at(-1) ?? "",
      };
    }
    if (Date.now() > untilMs) throw new Error("the demo has no past");
    await new Promise((resolve) => setTimeout(resolve, 2_000));
  }
}
