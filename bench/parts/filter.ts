import type { Bench } from "@/bench/bench";
import { untilWhole, visit } from "@/bench/browser";
import { quantile } from "@/bench/median";
import { companyOf } from "@/bench/plumbline";
import type { Row } from "@/bench/table";

/** Nearly each key and each step back changes what is shown; something always is. */
const WORDS = ["719", "325", "4810", "pri", "sa"];
const BETWEEN_KEYS_MS = 300;

/** From a key pressed in the filter to the frame that shows its effect, at 5,000 endpoints. */
export async function filter(bench: Bench): Promise<Row[]> {
  const [board, browser] = [await bench.board(), await bench.browser()];
  const page = { server: board, path: `/${companyOf(5000)}`, cookie: board.cookie };
  const times = await visit(browser, page, async (tab) => {
    await untilWhole(tab);
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
    return tab.evaluate(() => (globalThis as { benchKeyMs?: number[] }).benchKeyMs ?? []);
  });
  if (times.length < WORDS.join("").length * 1.5) throw new Error("too few keys changed the board");
  return [
    {
      what: "filter keystroke to paint at 5,000 endpoints, 95 in 100 keys",
      against: "",
      floor: null,
      ours: quantile(times, 0.95),
      unit: "ms",
      goal: { of: "value", most: 100 },
    },
  ];
}

/** Runs in the page: collects the time of every key that changes how many lines the board has. */
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
      // A message sent in a frame's callback arrives when that frame has been painted.
      port1.addEventListener("message", () => times.push(performance.now() - fromMs));
      port1.start();
      port2.postMessage(null);
    });
  }).observe(document.body, { subtree: true, attributeFilter: ["aria-rowcount"] });
}
