import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";

/** Who may import whom (docs/architecture.md): each room with an import that it may and one it may not. */
const ROOMS: readonly { file: string; allowed: string; refused: string }[] = [
  { file: "app/page.tsx", allowed: "@/components/grid/grid", refused: "@/lib/domain/verdict" },
  {
    file: "app/page.tsx",
    allowed: "@/lib/server/pages/first-view",
    refused: "@/lib/server/runtime",
  },
  {
    file: "app/api/companies/route.ts",
    allowed: "@/lib/server/gate/next-route",
    refused: "@/components/x",
  },
  {
    file: "app/api/v3/route.ts",
    allowed: "@/lib/v3-service/x",
    refused: "@/lib/server/gate/next-route",
  },
  { file: "components/grid/a.tsx", allowed: "@/lib/domain/x", refused: "@/lib/server/runtime" },
  { file: "components/ui/a.tsx", allowed: "@base-ui/react/menu", refused: "@/lib/domain/verdict" },
  { file: "components/ui/a.tsx", allowed: "@/components/ui/b", refused: "@/components/grid/grid" },
  { file: "lib/client/a.ts", allowed: "@/lib/contracts/dashboard", refused: "@/components/x" },
  { file: "lib/contracts/a.ts", allowed: "zod", refused: "@/lib/server/config" },
  { file: "lib/domain/a.ts", allowed: "./b", refused: "zod" },
  { file: "lib/domain/a.ts", allowed: "@/lib/domain/b", refused: "node:fs" },
  { file: "lib/server/a.ts", allowed: "@/lib/domain/verdict", refused: "@/lib/v3-service/service" },
  { file: "lib/server/store/a.ts", allowed: "./b", refused: "../route" },
  { file: "lib/server/runtime.ts", allowed: "@/lib/v3-service/a", refused: "@/components/x" },
  {
    file: "lib/v3-service/a.ts",
    allowed: "@/lib/server/store/database",
    refused: "@/lib/server/store/record",
  },
  { file: "lib/v3-service/a.ts", allowed: "@/lib/contracts/v3", refused: "@/lib/domain/verdict" },
];

const house = mkdtempSync(path.join(os.tmpdir(), "plumbline-rooms-"));
copyFileSync(".oxlintrc.json", path.join(house, ".oxlintrc.json"));
afterAll(() => rmSync(house, { recursive: true }));

/** Lints a file at this place that imports this, and says whether the import table refused it. */
function isRefused(file: string, specifier: string): boolean {
  const where = path.join(house, file);
  mkdirSync(path.dirname(where), { recursive: true });
  writeFileSync(where, `import { a } from "${specifier}";\nexport const b = a;\n`);
  const run = spawnSync(path.resolve("node_modules/.bin/oxlint"), [file], {
    cwd: house,
    encoding: "utf8",
  });
  rmSync(where);
  return run.status !== 0 && run.stdout.includes("no-restricted-imports");
}

test.each(ROOMS)("$file may import $allowed and not $refused", ({ file, allowed, refused }) => {
  expect(isRefused(file, allowed)).toBe(false);
  expect(isRefused(file, refused)).toBe(true);
});
