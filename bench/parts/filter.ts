import type { Page } from "playwright";
import type { Bench } from "@/bench/bench";
import { untilWhole, visit } from "@/bench/browser";
import { quantile } from "@/bench/median";
import { companyOf } from "@/bench/plumbline";
import type { Row } from "@/bench/table";

/** Nearly every key and every deletion changes the result, which is never empty. */
const WORDS = ["719", "325", "4810", "pri", "sa"];
const BETWEEN_KEYS_MS = 300;

/** Time from a key pressed in the filter to the frame with its effect, at 5,000 endpoints. */
export async function filter(bench: Bench): Promise<Row[]> {
  const [board, floor, browser] = [await bench.board(), await bench.floor(), await bench.browser()];
  const empty = await visit(browser, { server: floor, path: "/" }, async (tab) => {
    await tab.evaluate(drawCounter);
    return keyTimes(tab);
  });
  const page = { server: board, path: `/${companyOf(5000)}`, cookie: board.cookie };
  const ours = await visit(browser, page, async (tab) => {
    await untilWhole(tab);
    return keyTimes(tab);
  });
  return [
    {
      what: "filter keystroke to paint at 5,000 endpoints, 95 in 100 keys",
      against: "an empty page that counts the letters of a field",
      floor: quantile(empty, 0.95),
      ours: quantile(ours, 0.95),
      unit: "ms",
      goal: { of: "value", most: 50 },
    },
  ];
}

/** Milliseconds of each key that changed the number of lines. */
async function keyTimes(tab: Page): Promise<number[]> {
  await tab.getByRole("searchbox").focus();
  await tab.evaluate(watchKeys);
  const keys = WORDS.flatMap((word) => [
    ...Array.from(word),
    ...Array.from(word, () => "Backspace"),
  ]);
  for (const key of keys) {
    await tab.keyboard.press(key);
    await tab.waitForTimeout(BETWEEN_KEYS_MS);
  }
  const times = await tab.evaluate(
    () => (globalThis as { benchKeyMs?: number[] }).benchKeyMs ?? [],
  );
  if (times.length < WORDS.join("").length * 1.5) throw new Error("too few keys changed the page");
  return times;
}

/** Runs in a page: the smallest change that a key can cause. */
function drawCounter(): void {
  const field = document.createElement("input");
  field.type = "search";
  const counter = document.createElement("p");
  field.addEventListener("input", () => {
    counter.textContent = `${field.value.length} letters`;
    counter.setAttribute("aria-rowcount", String(field.value.length));
  });
  document.body.append(field, counter);
}

/** Runs in the page: collects the time of every key that changes the number of lines on the board. */
function watchKeys(): void {
  const times: number[] = [];
  (globalThis as { benchKeyMs?: number[] }).benchKeyMs = times;
  let pressedMs: number | null = null;
  document.addEventListener("keydown", (event) => (pressedMs = event.timeStamp), true);
  new MutationObserver(() => {
    if (pressedMs === null) return;
    const fromMs = pressedMs;
    pressedMs = null;
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      // A message sent in an animation frame callback arrives after that frame's paint.
      port1.addEventListener("message", () => times.push(performance.now() - fromMs));
      port1.start();
      port2.postMessage(null);
    });
  }).observe(document.body, { subtree: true, attributeFilter: ["aria-rowcount"] });
}
