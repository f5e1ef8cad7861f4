import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

/** All commands for people, without build and check scripts. */
const COMMANDS = readdirSync(import.meta.dirname).filter(
  (file) => file.endsWith(".ts") && !file.includes(".test.") && file !== "terminal.ts",
);

test("every command escapes its output", () => {
  expect(COMMANDS).toContain("people.ts");
  const direct = COMMANDS.filter((file) =>
    /console\.|process\.std\w+\.write/.test(
      readFileSync(path.join(import.meta.dirname, file), "utf8"),
    ),
  );
  expect(direct).toEqual([]);
});
