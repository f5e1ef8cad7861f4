import path from "node:path";
import { describe, expect, test } from "vitest";
import type { Method } from "@/lib/server/http/handlers";
import { METHODS } from "@/lib/server/http/routes/methods.mjs";
import { scanRoutes } from "@/lib/server/http/routes/route-manifest.mjs";
import { HOT_ROUTES } from "./hot-routes";
import { principalAt } from "./principal";
import { routesAt } from "./routes-fixture";

const root = path.resolve(import.meta.dirname, "../../..");
const manifest = scanRoutes(root);

/** Their requests have another protection than a mutation's checks: a form token, a sign-in, a signed logout. */
const PROVED_BY_THEMSELVES: ReadonlySet<string> = new Set([
  "/signin/password",
  "/api/auth/[...nextauth]",
  "/api/auth/backchannel-logout",
]);

test("finds routes", () => expect(Object.keys(manifest).length).toBeGreaterThan(70));

test("has a file for every hot address", () => {
  expect(Object.keys(manifest)).toEqual(expect.arrayContaining(Object.keys(HOT_ROUTES)));
});

test("checks hot addresses as their files do", async () => {
  for (const [address, handlers] of Object.entries(HOT_ROUTES)) {
    const file = await routesAt(address);
    for (const [method, handler] of Object.entries(handlers)) {
      const inFront: unknown = Reflect.get(handler, "spec");
      expect([address, method, inFront]).toEqual([address, method, file[method as Method]?.spec]);
      expect(inFront).toBeDefined();
    }
  }
});

test("answers addresses that are open to strangers without Next", () => {
  const open = Object.entries(manifest).filter(
    ([address]) =>
      ["anyone", "link"].includes(principalAt(address)) || address.startsWith("/api/previews/"),
  );
  // The embedded service's routes are added at start, where it's on.
  const other = open.filter(([address]) => address !== "/api/v3/[[...path]]");
  const withoutHot = other.filter(([address, methods]) => {
    const { HEAD = HOT_ROUTES[address]?.GET, ...hot } = HOT_ROUTES[address] ?? {};
    return methods.some((method) => (method === "HEAD" ? HEAD : hot[method]) === undefined);
  });
  expect(open.length).toBeGreaterThan(8);
  expect(withoutHot).toEqual([]);
});

describe.each(Object.entries(manifest))("%s", (address, methods) => {
  test("accepts the methods that its file exports, and HEAD with GET", async () => {
    const exported = Object.keys(await routesAt(address)).filter((name) =>
      METHODS.some((method) => method === name),
    );
    const heads = exported.includes("GET") ? ["HEAD"] : [];
    expect(new Set(methods)).toEqual(new Set([...exported, ...heads]));
    expect(methods.length).toBeGreaterThan(0);
  });

  test("has the principal that the front expects", async () => {
    for (const { spec } of Object.values(await routesAt(address))) {
      const principal = spec !== undefined && "principal" in spec ? spec.principal : "person";
      if (spec === undefined) expect(address).toBe("/api/v3/[[...path]]");
      // A preview's name identifies its link; the methods of the address are not secret.
      else if (address.startsWith("/api/previews/")) expect(principal).toBe("link");
      else expect(principal).toBe(principalAt(address));
    }
  });

  test("checks all methods that change state as mutations, and no others", async () => {
    for (const [method, { spec }] of Object.entries(await routesAt(address))) {
      if (spec === undefined || PROVED_BY_THEMSELVES.has(address)) continue;
      expect([method, spec.mutation === true]).toEqual([method, method !== "GET"]);
    }
  });
});
