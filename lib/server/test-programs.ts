import path from "node:path";
import { inject } from "vitest";

declare module "vitest" {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- merges into vitest's own interface
  export interface ProvidedContext {
    /** The folder that contains `TEST_PROGRAMS`, compiled to JavaScript. */
    testPrograms: string;
  }
}

/** Programs that integration tests start as separate processes; paths relative to the root. */
export const TEST_PROGRAMS = [
  "lib/server/collector/killed.fixture.ts",
  "lib/server/deletions/killed.fixture.ts",
  "lib/server/delivery/killed.fixture.ts",
  "lib/server/store/backup/killed.fixture.ts",
  "lib/server/store/embedded/holder.fixture.ts",
  "lib/server/store/leader.fixture.ts",
  "scripts/audit-verify.ts",
  "scripts/backup.ts",
  "scripts/companies.ts",
  "scripts/connections.ts",
  "scripts/keys.ts",
  "scripts/people.ts",
  "scripts/restore.ts",
  "scripts/retention.ts",
  "scripts/v3.ts",
] as const;

/** @returns the absolute path of a compiled program */
export function testProgram(name: (typeof TEST_PROGRAMS)[number]): string {
  return path.join(inject("testPrograms"), name.replace(/\.ts$/, ".mjs"));
}
