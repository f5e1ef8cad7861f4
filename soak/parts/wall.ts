import { chromium } from "playwright";
import { liveThrough } from "@/e2e/wall/months";
import { BROWSER_ARGS, findBrowser } from "@/scripts/browser.mjs";
import { run } from "@/scripts/steps.mjs";

/** Maximum growth of a wall's browser: far more would cause trouble on a television within weeks. */
const MAX_BYTES_PER_HOUR = 2 ** 20;

/** One television through days of every possible failure, in a real browser with compressed time. */
export async function wall(days: number): Promise<boolean> {
  if (!run("npm", ["run", "build"], { NODE_ENV: "production" })) return false;
  const executablePath = findBrowser();
  const browser = await chromium.launch({
    ...(executablePath === null ? {} : { executablePath }),
    args: [...BROWSER_ARGS],
  });
  const tell = (line: string) => process.stdout.write(`${line}\n`);
  try {
    const life = await liveThrough(browser, { days, seed: 20_260_301, tell });
    const perHour = life.heapSlopeBytesPerHour;
    tell(`troubles: ${JSON.stringify(life.troubles)}`);
    tell(`${life.steps} looks, heap ${(perHour / 1024).toFixed(2)} kB an hour`);
    return life.faults.length === 0 && perHour < MAX_BYTES_PER_HOUR;
  } finally {
    await browser.close();
  }
}
