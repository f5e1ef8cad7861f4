import type { Bench } from "@/bench/bench";
import { visit, type Visit } from "@/bench/browser";
import { benchRows } from "@/bench/endpoints";
import { median } from "@/bench/median";
import { companyOf } from "@/bench/plumbline";
import type { Row } from "@/bench/table";

const ENDPOINTS = 1000;
const ROUNDS = 7;

/** Time until the reader of a link sees the first real number, such as "12 m". */
export async function partnerPage(bench: Bench): Promise<Row[]> {
  const [board, floor, browser] = [await bench.board(), await bench.floor(), await bench.browser()];
  const partner = benchRows(ENDPOINTS, 0)[0]?.attributes.partner_name ?? "";
  const path = `/${companyOf(ENDPOINTS)}/partners/${encodeURIComponent(partner)}`;
  const firstNumberMs = (page: Visit) =>
    visit(
      browser,
      page,
      async (tab) => {
        await tab.waitForFunction(() => "benchNumberMs" in globalThis);
        return tab.evaluate(() => (globalThis as { benchNumberMs?: number }).benchNumberMs ?? 0);
      },
      `(${watchNumber.toString()})()`,
    );
  const times: { floor: number; ours: number }[] = [];
  // The first round is a warm-up: the first request costs more on both servers.
  for (let round = 0; round <= ROUNDS; round += 1) {
    times.push({
      floor: await firstNumberMs({ server: floor, path: "/" }),
      ours: await firstNumberMs({ server: board, path, cookie: board.cookie }),
    });
  }
  return [
    {
      what: "partner page: time to the first true number",
      against: "the bare framework page with one number",
      floor: median(times.slice(1).map((round) => round.floor)),
      ours: median(times.slice(1).map((round) => round.ours)),
      unit: "ms",
      goal: null,
    },
  ];
}

/** Runs in the page, before its own scripts. */
function watchNumber(): void {
  const look = () => {
    const text = document.querySelector("main")?.textContent ?? "";
    if (!/\d [mhd]\b/.test(text)) return void requestAnimationFrame(look);
    const { port1, port2 } = new MessageChannel();
    // A message sent in an animation frame callback arrives after that frame's paint.
    port1.addEventListener("message", () => {
      (globalThis as { benchNumberMs?: number }).benchNumberMs = performance.now();
    });
    port1.start();
    port2.postMessage(null);
  };
  requestAnimationFrame(look);
}
