import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { KEPT } from "./pack.mjs";

const server = readFileSync("server.mjs", "utf8");
/** The server's maximum time from a signal to its exit. */
const stopMs = Number(/STOP_MS = ([\d_]+)/.exec(server)?.[1]?.replaceAll("_", ""));

test("service files wait until the archive's server has stopped PostgreSQL", () => {
  expect(stopMs).toBeGreaterThan(0);
  const unit = readFileSync("deploy/plumbline.service", "utf8");
  const compose = readFileSync("deploy/compose.yaml", "utf8");
  const waits = [
    /^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1],
    /^ {2}stop_grace_period: (\d+)s$/m.exec(compose)?.[1],
  ];
  for (const seconds of waits) expect(Number(seconds) * 1000).toBeGreaterThan(stopMs);
});

test("the service unit signals only the server, which then stops its database", () => {
  expect(readFileSync("deploy/plumbline.service", "utf8")).toMatch(/^KillMode=mixed$/m);
});

test("the service and the image run as a user of their own, without privileges", () => {
  const unit = readFileSync("deploy/plumbline.service", "utf8").split("\n");
  expect(unit).toEqual(
    expect.arrayContaining([
      "User=plumbline",
      "NoNewPrivileges=yes",
      "CapabilityBoundingSet=",
      "ProtectSystem=strict",
      "StateDirectoryMode=0700",
      "UMask=0077",
    ]),
  );
  const image = readFileSync("deploy/Dockerfile", "utf8")
    .split(/^FROM /m)
    .at(-1);
  expect(image).toMatch(/^USER node$/m);
});

test("images contain no secret of the checkout", () => {
  const left = readFileSync(".dockerignore", "utf8").split("\n");
  expect(left).toEqual(expect.arrayContaining(["**/.env", "**/.env.local", ".data", ".git"]));
});

test("the archive has every file that its manual links to", () => {
  const manual = readFileSync("docs/operating.md", "utf8");
  const links = [...manual.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, link = ""]) =>
    path.join("docs", link),
  );
  expect(links).toContain("deploy/grafana");
  const isKept = (file: string) =>
    KEPT.some((kept) => file === kept || file.startsWith(`${kept}/`));
  expect(links.filter((file) => !isKept(file))).toEqual([]);
});
