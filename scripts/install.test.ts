import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

type Entry = {
  version?: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
  /** Bundled in the tarball of its parent package, whose integrity covers it. */
  inBundle?: boolean;
  optionalDependencies?: Record<string, string>;
};

const lock = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
  packages: Record<string, Entry>;
};
/** All packages installed from a registry, by their path. */
const installed = Object.entries(lock.packages).filter(
  ([place, { link, inBundle }]) => place !== "" && link !== true && inBundle !== true,
);

describe("package-lock.json", () => {
  it("has a checksum for every package from a registry", () => {
    const unchecked = installed.filter(
      ([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ""),
    );
    expect(unchecked.map(([place]) => place)).toEqual([]);
    expect(installed.length).toBeGreaterThan(100);
  });

  it("has no registry address, so that any registry with the same bytes works", () => {
    expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });

  it("marks as bundled only what is inside a checked package", () => {
    const loose = Object.entries(lock.packages)
      .filter(([, { inBundle }]) => inBundle === true)
      .filter(([place]) => !installed.some(([holder]) => place.startsWith(`${holder}/`)));
    expect(loose).toEqual([]);
  });

  it("includes the optional packages of every platform", () => {
    const missing = Object.entries(lock.packages).flatMap(
      ([place, { optionalDependencies = {} }]) =>
        Object.keys(optionalDependencies)
          .filter((name) => !isFound(place, name))
          .map((name) => `${name}, of ${place}`),
    );
    expect(missing).toEqual([]);
  });
});

/** Whether Node would find `name` from `place`: beside it, or in a parent folder. */
function isFound(place: string, name: string): boolean {
  for (let at = place; ; at = at.slice(0, Math.max(0, at.lastIndexOf("node_modules/") - 1))) {
    const wanted = at === "" ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (lock.packages[wanted] !== undefined) return true;
    if (at === "") return false;
  }
}

describe("installing", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), "plumbline-install-"));
    mkdirSync(path.join(folder, "scripts"));
    copyFileSync("scripts/steps.mjs", path.join(folder, "scripts/steps.mjs"));
    writeFileSync(path.join(folder, "package-lock.json"), "{}");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Installs with a fake `npm` that exits with this status. @returns the arguments npm got, and our own result */
  function installWith(status: number): { commands: string[]; succeeded: boolean } {
    const commandsFile = path.join(folder, "commands");
    writeFileSync(commandsFile, "");
    writeFileSync(
      path.join(folder, "npm"),
      `#!/bin/sh\necho "$1" >> "${commandsFile}"\nexit ${status}\n`,
      {
        mode: 0o755,
      },
    );
    const { status: ended } = spawnSync(
      process.execPath,
      [
        "--input-type=module",
        "-e",
        'const { install } = await import("./scripts/steps.mjs"); process.exit(install() ? 0 : 1);',
      ],
      { cwd: folder, env: { NODE_ENV: "test", PATH: `${folder}:${process.env["PATH"]}` } },
    );
    const lines = readFileSync(commandsFile, "utf8").split("\n");
    return { commands: lines.filter(Boolean), succeeded: ended === 0 };
  }

  it("installs exactly the packages of the lock file", () => {
    expect(installWith(0)).toEqual({ commands: ["ci"], succeeded: true });
  });

  it("fails if npm fails, without a laxer attempt", () => {
    expect(installWith(1)).toEqual({ commands: ["ci"], succeeded: false });
  });
});
