import path from "node:path";
import { expect, test } from "vitest";
import type { Method } from "@/lib/server/http/handlers";
import { scanRoutes } from "@/lib/server/http/routes/route-manifest.mjs";
import { principalAt } from "./principal";
import { routesAt } from "./routes-fixture";

const manifest = scanRoutes(path.resolve(import.meta.dirname, "../../.."));

/** Addresses outside of companies that tokens may read. */
const READ = new Set([
  "/api/changes",
  "/api/companies",
  "/api/fleet-incidents",
  "/api/fleet-incidents/[id]",
  "/api/incidents",
  "/api/me",
  "/api/openapi.json",
  "/api/partners",
  "/api/partners/[partner]",
  "/api/partners/[partner]/days",
  "/api/partners/[partner]/paragraphs",
  "/api/partners/[partner]/paragraphs/csv",
  "/api/today",
]);
const OF_COMPANY = "/api/companies/[company]";
/** What tokens of scope `act` may do, and no others. */
const ACT: readonly [string, Method][] = [
  [`${OF_COMPANY}/expectations`, "POST"],
  [`${OF_COMPANY}/expectations/[id]`, "DELETE"],
  [`${OF_COMPANY}/incidents/[id]/acknowledgement`, "DELETE"],
  [`${OF_COMPANY}/incidents/[id]/acknowledgement`, "PUT"],
  [`${OF_COMPANY}/incidents/[id]/notes`, "POST"],
  [`${OF_COMPANY}/incidents/[id]/owner`, "PUT"],
  ["/api/fleet-incidents/[id]/acknowledgement", "DELETE"],
  ["/api/fleet-incidents/[id]/acknowledgement", "PUT"],
  ["/api/fleet-incidents/[id]/notes", "POST"],
  ["/api/fleet-incidents/[id]/owner", "PUT"],
];

/** Requests other than GET that only read. */
const READ_BY_POST: readonly [string, Method][] = [["/api/mcp", "POST"]];

function expected(address: string, method: string): "read" | "act" | undefined {
  if (ACT.some(([one, its]) => one === address && its === method)) return "act";
  if (READ_BY_POST.some(([one, its]) => one === address && its === method)) return "read";
  const isRead = READ.has(address) || address.startsWith(`${OF_COMPANY}/`);
  return isRead && method === "GET" ? "read" : undefined;
}

test("opens to API tokens exactly the addresses that are meant for them", async () => {
  const declared: unknown[] = [];
  const meant: unknown[] = [];
  for (const address of Object.keys(manifest)) {
    for (const [method, { spec }] of Object.entries(await routesAt(address))) {
      const tokens = spec !== undefined && "tokens" in spec ? spec.tokens : undefined;
      declared.push([address, method, tokens]);
      meant.push([address, method, expected(address, method)]);
      // Other principals don't read the header.
      if (tokens !== undefined) expect(principalAt(address)).toBe("person");
    }
  }
  expect(declared).toEqual(meant);
  expect(declared.length).toBeGreaterThan(100);
});
