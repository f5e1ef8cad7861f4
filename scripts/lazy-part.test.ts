import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

test("only `lazyPart` loads components, so that code that fails to load never breaks a page", () => {
  const files = readdirSync("components", { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".tsx"))
    .map((file) => path.join("components", file));
  const codeOf = (file: string) => readFileSync(file, "utf8");
  expect(files.filter((file) => codeOf(file).includes("lazyPart(")).length).toBeGreaterThan(19);
  expect(files.filter((file) => /\b(?:React\.)?lazy\(|next\/dynamic/.test(codeOf(file)))).toEqual(
    [],
  );
});
