import { chromium, type Browser, type CDPSession, type Page } from "playwright";
import { BROWSER_ARGS, findBrowser } from "@/scripts/browser.mjs";
import type { MeasuredServer } from "./measured-server";

const VIEWPORT = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
/** A phone on the move: 150 ms, 1.6 Mbit/s, a processor four times slower than this one. */
const PHONE_NETWORK: Network = { latencyMs: 150, downBits: 1_600_000, upBits: 750_000 };
export const SLOW_CPU = 4;

/** A browser installed on this machine, or Playwright's own. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  return chromium.launch({
    ...(executablePath !== null && { executablePath }),
    args: [...BROWSER_ARGS, "--enable-precise-memory-info"],
  });
}

/** Latency, and bits a second. */
export type Network = { latencyMs: number; downBits: number; upBits: number };

/**
 * A page of a server, with the session of `cookie`; empty for no session. `onPhone`: a slow one. `cpu`: how many times
 * slower the processor is. `network`: by default as fast as this machine.
 */
export type Visit = {
  server: MeasuredServer;
  path: string;
  cookie?: string;
  onPhone?: boolean;
  cpu?: number;
  network?: Network | undefined;
};

/**
 * Visits a page with an empty cache, runs `look` on it, and closes it.
 * @param watch a script that runs in the page before its own
 */
export async function visit<T>(
  browser: Browser,
  {
    server,
    path,
    cookie = "",
    onPhone = false,
    cpu = onPhone ? SLOW_CPU : 1,
    network = onPhone ? PHONE_NETWORK : undefined,
  }: Visit,
  look: (page: Page, devtools: CDPSession) => Promise<T>,
  watch = "",
): Promise<T> {
  const context = await browser.newContext({ viewport: onPhone ? PHONE : VIEWPORT });
  try {
    const url = server.address;
    const cookies = cookie.split("; ").filter(Boolean);
    await context.addCookies(
      cookies.map((pair) => {
        const [name = "", ...value] = pair.split("=");
        return { name, value: value.join("="), url };
      }),
    );
    // The loader of this file wraps functions in `__name`, which the page doesn't have.
    await context.addInitScript({ content: `globalThis.__name = (it) => it;\n${watch}` });
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    if (network !== undefined) {
      const { latencyMs, downBits, upBits } = network;
      await devtools.send("Network.enable");
      await devtools.send("Network.emulateNetworkConditions", {
        offline: false,
        latency: latencyMs,
        downloadThroughput: downBits / 8,
        uploadThroughput: upBits / 8,
      });
    }
    if (cpu !== 1) await devtools.send("Emulation.setCPUThrottlingRate", { rate: cpu });
    const answer = await page.goto(`${url}${path}`, { waitUntil: "load" });
    if (!answer?.ok()) throw new Error(`${path} answered ${answer?.status() ?? "nothing"}`);
    return await look(page, devtools);
  } finally {
    await context.close();
  }
}

/** Resolves when the board has drawn all its endpoints, not only those that came with the page. */
export async function untilWhole(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    performance
      .getEntriesByType("resource")
      .some(
        (entry) =>
          entry.name.endsWith("/sync-status") &&
          (entry as PerformanceResourceTiming).responseEnd > 0,
      ),
  );
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 100)));
      }),
  );
}
