import path from "node:path";
import { describe, expect, test } from "vitest";
import { METHODS } from "@/lib/server/http/handlers";
import { scanRoutes } from "@/lib/server/http/routes/route-manifest.mjs";
import { HOT_ROUTES } from "./hot-routes";
import { principalAt } from "./principal";
import { routesAt } from "./routes-fixture";

const root = path.resolve(import.meta.dirname, "../../..");
const manifest = scanRoutes(root);

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
    for (const handler of Object.values(await routesAt(address))) {
      if (!("principal" in handler)) expect(address).toBe("/api/v3/[[...path]]");
      // The name of a preview says which link it is of; to whom the address takes other methods is no secret.
      else if (address.startsWith("/api/previews/")) expect(handler.principal).toBe("link");
      else expect(handler.principal).toBe(principalAt(address));
    }
  });
});
