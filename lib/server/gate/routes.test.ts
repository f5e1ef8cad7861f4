import path from "node:path";
import { describe, expect, test } from "vitest";
import { METHODS } from "@/lib/server/http/handlers";
import { scanRoutes } from "@/lib/server/http/routes/route-manifest.mjs";
import { HOT_ROUTES } from "./hot-routes";
import { principalAt } from "./principal";
import { routesAt } from "./routes-fixture";

const root = path.resolve(import.meta.dirname, "../../..");
const manifest = scanRoutes(root);

/** What is sent there carries a token of its own: a form, a sign-in, a signed logout. */
const PROVED_BY_THEMSELVES: ReadonlySet<string> = new Set([
  "/signin/password",
  "/api/auth/[...nextauth]",
  "/api/auth/backchannel-logout",
]);

test("there are routes", () => expect(Object.keys(manifest).length).toBeGreaterThan(70));

test("every hot address has a file", () => {
  expect(Object.keys(manifest)).toEqual(expect.arrayContaining(Object.keys(HOT_ROUTES)));
});

describe.each(Object.entries(manifest))("%s", (address, methods) => {
  test("takes the methods that its file exports, and HEAD with GET", async () => {
    const exported = Object.keys(await routesAt(address)).filter((name) =>
      METHODS.some((method) => method === name),
    );
    const heads = exported.includes("GET") ? ["HEAD"] : [];
    expect(new Set(methods)).toEqual(new Set([...exported, ...heads]));
    expect(methods.length).toBeGreaterThan(0);
  });

  test("takes the principal that the front expects there", async () => {
    for (const { spec } of Object.values(await routesAt(address))) {
      const principal = spec !== undefined && "principal" in spec ? spec.principal : "person";
      if (spec === undefined) expect(address).toBe("/api/v3/[[...path]]");
      // The name of a preview says which link it is of; which methods the address takes is no secret.
      else if (address.startsWith("/api/previews/")) expect(principal).toBe("link");
      else expect(principal).toBe(principalAt(address));
    }
  });

  test("checks what changes something as mutations are checked, and nothing else", async () => {
    for (const [method, { spec }] of Object.entries(await routesAt(address))) {
      if (spec === undefined || PROVED_BY_THEMSELVES.has(address)) continue;
      expect([method, spec.mutation === true]).toEqual([method, method !== "GET"]);
    }
  });
});
