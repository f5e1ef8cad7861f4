import type { Browser, Page } from "playwright";
import type { Bench } from "@/bench/bench";
import { untilWhole, visit, type Visit } from "@/bench/browser";
import { median } from "@/bench/median";
import { companyOf } from "@/bench/plumbline";
import type { Row } from "@/bench/table";

const ROUNDS = 5;
/** How long a person stays on a page; its background loading counts as done by then. */
const LOOK_MS = 4000;

/** Each is recognised by its own heading. */
const PAGES = [
  { tab: "Schedule files", path: "schedules" },
  { tab: "API calls", path: "api-calls" },
  { tab: "Activity", path: "activity" },
] as const;

/**
 * Time from a click on a tab of the overview to the frame with the other page's heading: for the first time in a
 * browser tab, so that code and data still have to load, and once more after going back.
 */
export async function navigation(bench: Bench): Promise<Row[]> {
  const [board, browser] = [await bench.board(), await bench.browser()];
  const overview: Visit = { server: board, path: `/${companyOf(500)}`, cookie: board.cookie };
  const times = new Map(
    PAGES.map(({ path }) => [path, { first: [] as number[], again: [] as number[] }]),
  );
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const target of PAGES) {
      const { first, again } = await walk(browser, overview, target);
      times.get(target.path)?.first.push(first);
      times.get(target.path)?.again.push(again);
    }
  }
  return PAGES.flatMap(({ tab, path }) => {
    const row = (what: string, all: readonly number[]): Row => ({
      what: `from the overview to ${tab}, ${what}: click to its heading, median`,
      against: "",
      floor: null,
      ours: median(all),
      unit: "ms",
      goal: { of: "value", most: 100 },
    });
    const { first = [], again = [] } = times.get(path) ?? {};
    return [row("first time", first), row("again", again)];
  });
}

type Target = (typeof PAGES)[number];

function walk(browser: Browser, overview: Visit, target: Target) {
  return visit(browser, overview, async (tab) => {
    await untilWhole(tab);
    await tab.waitForTimeout(LOOK_MS);
    const first = await clickMs(tab, target.tab);
    await tab.getByRole("link", { name: "Overview", exact: true }).click();
    await tab.getByRole("grid", { name: "Feeds" }).waitFor();
    await tab.mouse.move(700, 500);
    await tab.waitForTimeout(LOOK_MS);
    return { first, again: await clickMs(tab, target.tab) };
  });
}

/** Milliseconds from the click's own timestamp to the frame with the target page's heading. */
async function clickMs(tab: Page, name: string): Promise<number> {
  const shown = tab.evaluate(watchClick);
  await tab.getByRole("link", { name, exact: true }).click();
  return shown;
}

/** Runs in the page. The overview has a heading too, so it waits for a different one. */
function watchClick(): Promise<number> {
  const heading = () => document.querySelector("main h1");
  const before = heading();
  return new Promise((resolve) => {
    document.addEventListener(
      "click",
      ({ timeStamp }) => {
        const observer = new MutationObserver(() => {
          const now = heading();
          if (now === null || now === before || now.textContent === "") return;
          observer.disconnect();
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            // A message sent in an animation frame callback arrives after that frame's paint.
            port1.addEventListener("message", () => resolve(performance.now() - timeStamp));
            port1.start();
            port2.postMessage(null);
          });
        });
        observer.observe(document.body, { subtree: true, childList: true, characterData: true });
      },
      { capture: true, once: true },
    );
  });
}
