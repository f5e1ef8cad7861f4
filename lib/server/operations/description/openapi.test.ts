import path from "node:path";
import { describe, expect, test } from "vitest";
import { routesAt } from "@/lib/server/gate/routes-fixture";
import { scanRoutes } from "@/lib/server/http/routes/route-manifest.mjs";
import { DESCRIBED } from "./described";
import { openApiDocument } from "./openapi";

type Schema = { [key: string]: unknown };
type Operation = {
  operationId: string;
  summary: string;
  parameters?: { name: string; in: string; required?: boolean; description?: string }[];
  responses: Record<string, { description: string; headers?: Record<string, object> }>;
};
const document = JSON.parse(JSON.stringify(openApiDocument())) as {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
};
const operations = Object.entries(document.paths).flatMap(([address, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${address}`,
    address,
    operation,
  })),
);

/** Every schema that has properties. */
function* objectsIn(value: unknown): Generator<Record<string, Schema>> {
  if (typeof value !== "object" || value === null) return;
  const { properties } = value as { properties?: unknown };
  if (typeof properties === "object" && properties !== null)
    yield properties as Record<string, Schema>;
  for (const member of Object.values(value)) yield* objectsIn(member);
}

describe("the OpenAPI document", () => {
  test("is OpenAPI 3.1, with a unique id for each operation", () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(40);
  });

  test("describes exactly the requests that routes open to tokens", async () => {
    const manifest = scanRoutes(path.resolve(import.meta.dirname, "../../../.."));
    const open: string[] = [];
    for (const address of Object.keys(manifest))
      for (const [method, { spec }] of Object.entries(await routesAt(address)))
        if (spec !== undefined && "tokens" in spec) open.push(`${method} ${address}`);
    const described = Object.entries(DESCRIBED).flatMap(([address, methods]) =>
      Object.keys(methods).map((method) => `${method} ${address}`),
    );
    expect(described.toSorted()).toEqual(open.toSorted());
  });

  test.each(operations)("$name has a summary, parameters, errors and limits", (given) => {
    const { address, operation } = given;
    expect(operation.summary).not.toBe("");
    const named = [...address.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    const parameters = operation.parameters ?? [];
    expect(parameters.filter((one) => one.in === "path").map((one) => one.name)).toEqual(named);
    for (const { description = "" } of parameters) expect(description).not.toBe("");
    for (const status of ["401", "403", "429", "500", "503"])
      expect(Object.keys(operation.responses)).toContain(status);
    const isGiven = parameters.some((one) => one.in === "query") || "requestBody" in operation;
    if (isGiven) expect(Object.keys(operation.responses)).toContain("400");
    for (const { description, headers = {} } of Object.values(operation.responses)) {
      expect(description).not.toMatch(/^$|:\s+(?:`|$)/);
      const codes = [...description.matchAll(/`(\w+)`: /g)].map(([, code]) => code);
      expect(new Set(codes).size).toBe(codes.length);
      expect(Object.keys(headers)).toContain("RateLimit-Remaining");
    }
  });

  test("says the unit of every time and duration", () => {
    const without = [...objectsIn(document)].flatMap((properties) =>
      Object.entries(properties)
        .filter(([name]) => /_(?:seconds|minutes|ms|at|since|until)$/.test(name))
        .filter(([, schema]) => {
          const { anyOf = [], type } = schema as { anyOf?: { type?: string }[]; type?: string };
          const types = [type, ...anyOf.map((one) => one.type)];
          return types.some((one) => one === "string" || one === "number" || one === "integer");
        })
        .filter(([, { description }]) => description === undefined)
        .map(([name]) => name),
    );
    expect(without).toEqual([]);
  });
});
