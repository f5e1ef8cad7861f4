import { expect, test } from "vitest";
import { warnOfRoot } from "./root-warning";

test.each([
  ["root", 0, 1],
  ["a user", 1000, 0],
  ["a system without user ids", undefined, 0],
])("warns only when started as root: %s", (_, uid, times) => {
  const said: string[] = [];
  warnOfRoot({ warn: (sentence: string) => void said.push(sentence) }, uid);
  expect(said).toHaveLength(times);
  for (const sentence of said)
    expect(sentence).toMatch(/^Plumbline is running as root, .*DATA_DIR\.$/);
});
