import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

/** The import rules (docs/architecture.md): each folder with an allowed and a forbidden import. */
const RULES: readonly { file: string; allowed: string; refused: string }[] = [
  { file: "server.mjs", allowed: "./lib/server/http/admit.mjs", refused: "./lib/server/runtime" },
  { file: "app/page.tsx", allowed: "@/components/grid/grid", refused: "@/lib/domain/verdict" },
  {
    file: "app/page.tsx",
    allowed: "@/lib/server/pages/first-view",
    refused: "@/lib/server/runtime",
  },
  {
    file: "app/api/companies/route.ts",
    allowed: "@/lib/server/gate/route",
    refused: "@/components/x",
  },
  {
    file: "app/s/route.ts",
    allowed: "@/lib/server/rendering/render-shared-page",
    refused: "@/components/shared-page/x",
  },
  {
    file: "app/api/v3/route.ts",
    allowed: "@/lib/v3-service/x",
    refused: "@/lib/server/gate/route",
  },
  { file: "components/grid/a.tsx", allowed: "@/lib/domain/x", refused: "@/lib/server/runtime" },
  {
    file: "components/wall/a.tsx",
    allowed: "@/components/shell/x",
    refused: "@/components/pair/x",
  },
  { file: "components/today/a.tsx", allowed: "./b", refused: "@/components/companies/x" },
  { file: "components/companies/a.tsx", allowed: "./b", refused: "@/components/today/x" },
  { file: "components/partner/a.tsx", allowed: "./b", refused: "@/components/endpoint/x" },
  { file: "components/partners/a.tsx", allowed: "./b", refused: "@/components/partner/x" },
  {
    file: "components/settings/people/a.tsx",
    allowed: "@/components/resource/data-table",
    refused: "@/components/settings/links/x",
  },
  {
    file: "components/resource/a.tsx",
    allowed: "@/components/list/pager",
    refused: "@/components/settings/people/x",
  },
  {
    file: "components/resource/a.tsx",
    allowed: "@/components/ui/b",
    refused: "@/components/grid/x",
  },
  {
    file: "components/shared-page/a.tsx",
    allowed: "@/components/marks/badge",
    refused: "@/components/shell/x",
  },
  {
    file: "components/shared-page/a.tsx",
    allowed: "@/lib/domain/x",
    refused: "@/lib/client/use-now",
  },
  {
    file: "components/settings/links/a.tsx",
    allowed: "@/components/marks/badge",
    refused: "@/components/shared-page/x",
  },
  { file: "components/ui/a.tsx", allowed: "@base-ui/react/menu", refused: "@/lib/domain/verdict" },
  { file: "components/ui/a.tsx", allowed: "@/components/ui/b", refused: "@/components/grid/grid" },
  { file: "lib/client/a.ts", allowed: "@/lib/contracts/dashboard", refused: "@/components/x" },
  { file: "lib/contracts/a.ts", allowed: "zod", refused: "@/lib/server/config" },
  { file: "lib/domain/a.ts", allowed: "./b", refused: "zod" },
  { file: "lib/domain/a.ts", allowed: "@/lib/domain/b", refused: "node:fs" },
  { file: "lib/server/a.ts", allowed: "@/lib/domain/verdict", refused: "@/lib/v3-service/service" },
  { file: "lib/server/a.ts", allowed: "./clock", refused: "./store/database" },
  {
    file: "lib/server/http/a.ts",
    allowed: "@/lib/server/clock",
    refused: "@/lib/server/gate/route",
  },
  {
    file: "lib/server/rendering/a.tsx",
    allowed: "@/components/marks/badge",
    refused: "@/components/shell/x",
  },
  {
    file: "lib/server/rendering/a.tsx",
    allowed: "@/components/shared-page/x",
    refused: "@/lib/server/operations/links/x",
  },
  {
    file: "lib/server/delivery/a.ts",
    allowed: "@/lib/server/store/leader",
    refused: "@/lib/server/rendering/x",
  },
  { file: "lib/server/store/a.ts", allowed: "./b", refused: "../route" },
  {
    file: "lib/server/store/sync/a.ts",
    allowed: "@/lib/server/log",
    refused: "@/lib/server/upstream/upstream",
  },
  {
    file: "lib/server/upstream/a.ts",
    allowed: "@/lib/server/store/database",
    refused: "@/lib/server/collector/collector",
  },
  {
    file: "lib/server/auth/a.ts",
    allowed: "@/lib/server/store/database",
    refused: "@/lib/server/operations/sync/get-companies",
  },
  {
    file: "lib/server/auth/a.ts",
    allowed: "@/lib/server/evidence",
    refused: "@/lib/server/running",
  },
  {
    file: "lib/server/collector/a.ts",
    allowed: "@/lib/server/upstream/upstream",
    refused: "@/lib/server/deletions/worker",
  },
  {
    file: "lib/server/deletions/a.ts",
    allowed: "@/lib/server/store/leader",
    refused: "@/lib/server/collector/collector",
  },
  {
    file: "lib/server/delivery/slack/a.ts",
    allowed: "@/lib/server/delivery/compose",
    refused: "@/lib/server/collector/collector",
  },
  {
    file: "lib/server/operations/sync/a.ts",
    allowed: "@/lib/server/collector/snapshots",
    refused: "@/lib/server/gate/failure-response",
  },
  {
    file: "lib/server/operations/sync/a.ts",
    allowed: "@/lib/server/auth/person",
    refused: "@/lib/server/running",
  },
  {
    file: "lib/server/gate/a.ts",
    allowed: "@/lib/server/operations/sync/get-companies",
    refused: "@/lib/server/store/database",
  },
  {
    file: "lib/server/gate/hot-routes.ts",
    allowed: "@/lib/server/operations/sync/get-board",
    refused: "@/app/api/wall/route",
  },
  {
    file: "lib/server/pages/a.ts",
    allowed: "@/lib/server/auth/person",
    refused: "@/lib/server/gate/failure-response",
  },
  { file: "lib/server/running.ts", allowed: "./auth/auth", refused: "./runtime" },
  {
    file: "lib/server/config/config.ts",
    allowed: "@/lib/server/upstream/upstream",
    refused: "@/lib/server/pages/first-view",
  },
  { file: "lib/server/runtime/a.ts", allowed: "@/lib/v3-service/a", refused: "@/components/x" },
  {
    file: "lib/server/runtime/a.ts",
    allowed: "@/lib/server/auth/auth",
    refused: "@/lib/server/gate/unrouted",
  },
  {
    file: "lib/v3-service/a.ts",
    allowed: "@/lib/server/store/database",
    refused: "@/lib/server/store/record",
  },
  { file: "lib/v3-service/a.ts", allowed: "@/lib/contracts/v3", refused: "@/lib/domain/verdict" },
];

const trees = mkdtempSync(path.join(os.tmpdir(), "plumbline-imports-"));
afterAll(() => rmSync(trees, { recursive: true }));

const CASES = RULES.flatMap(({ file, allowed, refused }) => [
  { file, specifier: allowed, isRefused: false },
  { file, specifier: refused, isRefused: true },
]).map((one, at) => ({ ...one, tree: path.join(trees, String(at)) }));

let refusals: Set<string>;

/** Each case is a separate tree with one file that has one import; the linter runs once over all of them. */
beforeAll(() => {
  for (const { tree, file, specifier } of CASES) {
    const where = path.join(tree, file);
    mkdirSync(path.dirname(where), { recursive: true });
    copyFileSync(".oxlintrc.json", path.join(tree, ".oxlintrc.json"));
    writeFileSync(where, `import { a } from "${specifier}";\nexport const b = a;\n`);
  }
  const { stdout } = spawnSync(path.resolve("node_modules/.bin/oxlint"), ["-f", "json"], {
    cwd: trees,
    encoding: "utf8",
  });
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { code: string; filename: string }[];
  };
  refusals = new Set(
    diagnostics
      .filter(({ code }) => code.includes("no-restricted-imports"))
      .map(({ filename }) => path.resolve(trees, filename)),
  );
});

test.each(CASES)(
  "$file importing $specifier is rejected: $isRefused",
  ({ tree, file, isRefused }) => {
    expect(refusals.has(path.join(tree, file))).toBe(isRefused);
  },
);
