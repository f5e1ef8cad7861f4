import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

/** Everything that people run, but for what only builds and checks. */
const COMMANDS = readdirSync(import.meta.dirname).filter(
  (file) => file.endsWith(".ts") && !file.includes(".test.") && file !== "terminal.ts",
);

test("every command says what it says by what escapes it", () => {
  expect(COMMANDS).toContain("people.ts");
  const direct = COMMANDS.filter((file) =>
    /console\.|process\.std\w+\.write/.test(
      readFileSync(path.join(import.meta.dirname, file), "utf8"),
    ),
  );
  expect(direct).toEqual([]);
});
