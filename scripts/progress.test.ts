import { expect, it } from "vitest";
import { createProgress, sizeText } from "./progress";

function shown(isTTY: boolean) {
  let text = "";
  let nowMs = 0;
  const output = { isTTY, write: (more: string) => void (text += more) };
  const progress = createProgress(output, () => nowMs);
  return { progress, later: (ms: number) => void (nowMs += ms), text: () => text };
}

it("prints progress and remaining time every ten seconds without a terminal", () => {
  const { progress, later, text } = shown(false);
  for (let second = 0; second <= 30; second += 1) {
    progress.show("Backing up", { fraction: second / 100, rows: second * 1000 });
    later(1_000);
  }
  progress.clear();
  expect(text()).toBe(
    "Backing up: 10 %, 10,000 rows, about 90 s left\n" +
      "Backing up: 20 %, 20,000 rows, about 80 s left\n" +
      "Backing up: 30 %, 30,000 rows, about 70 s left\n",
  );
});

it("redraws one line on a terminal, and clears it at the end", () => {
  const { progress, later, text } = shown(true);
  progress.show("Checking", { fraction: 0, rows: 0 });
  later(1_000);
  progress.show("Checking", { fraction: 0.001, rows: 0 });
  later(3_000);
  progress.show("Checking", { fraction: 0.01, rows: 0 });
  progress.clear();
  expect(text()).toBe("\rChecking: 0 %\u001B[K\rChecking: 1 %, about 7 min left\u001B[K\r\u001B[K");
});

it("prints nothing for work of a few seconds, and never exceeds 100 %", () => {
  const { progress, later, text } = shown(false);
  progress.show("Restoring", { fraction: 0, rows: 0 });
  later(9_000);
  progress.show("Restoring", { fraction: 0.9, rows: 1 });
  expect(text()).toBe("");
  later(9_000);
  progress.show("Restoring", { fraction: 1.2, rows: 1 });
  expect(text()).toBe("Restoring: 100 %, 1 rows\n");
});

it("formats sizes in common units", () => {
  expect([0, 999, 1_000, 1_234_567, 5e15].map(sizeText)).toEqual([
    "0 B",
    "999 B",
    "1.0 kB",
    "1.2 MB",
    "5000.0 TB",
  ]);
});
