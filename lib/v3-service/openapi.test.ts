import { describe, expect, test } from "vitest";
import { SCOPES } from "@/lib/contracts/v3";
import { openApiJson } from "./openapi";

type Operation = {
  operationId: string;
  security: Record<string, string[]>[];
  parameters?: { name: string; in: string; required?: boolean; schema: Record<string, unknown> }[];
  responses: Record<
    string,
    { description: string; headers: Record<string, object>; content?: Record<string, object> }
  >;
};
type Description = {
  openapi: string;
  info: { title: string; version: string };
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, object>;
    securitySchemes: Record<string, { type: string; flows?: Record<string, { scopes: object }> }>;
  };
};

const description = JSON.parse(openApiJson()) as Description;
const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    path,
    operation,
  })),
);

function* valuesOf(value: unknown, key: string): Generator {
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (name === key) yield member;
    yield* valuesOf(member, key);
  }
}

describe("the OpenAPI document", () => {
  test("is OpenAPI 3.1 of API v3, version 1.0.0", () => {
    expect(description.openapi).toMatch(/^3\.1\.\d+$/);
    expect(description.info).toMatchObject({ title: "API v3", version: "1.0.0" });
    expect(description.servers).toEqual([{ url: "/api/v3" }]);
  });

  test("has every operation, each with a unique id", () => {
    expect(operations.map(({ name }) => name).toSorted()).toEqual([
      "DELETE /schedule_files/{id}",
      "GET /schedule_files",
      "GET /schedule_files/{id}",
      "GET /sync_status",
      "POST /oauth/token",
    ]);
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(5);
  });

  test("has no dangling reference", () => {
    const references = [...valuesOf(description, "$ref")];
    expect(references.length).toBeGreaterThan(0);
    for (const reference of references) {
      expect(reference).toMatch(/^#\//);
      const steps = String(reference).slice(2).split("/");
      const target = steps.reduce<unknown>(
        (at, step) => (at as Record<string, unknown> | undefined)?.[step],
        description,
      );
      expect({ reference, found: typeof target }).toEqual({ reference, found: "object" });
    }
  });

  test("gives the bounds and defaults of every parameter", () => {
    const parameters = Object.fromEntries(
      (description.paths["/sync_status"]?.["get"]?.parameters ?? []).map((each) => [
        each.name,
        { required: each.required ?? false, ...each.schema },
      ]),
    );
    expect(parameters).toEqual({
      partner: expect.objectContaining({ required: false, type: "string", maxLength: 100 }),
      page: expect.objectContaining({
        required: false,
        type: "integer",
        minimum: 1,
        maximum: 10_000,
        default: 1,
      }),
      per_page: expect.objectContaining({
        required: false,
        type: "integer",
        minimum: 1,
        maximum: 100,
        default: 50,
      }),
    });
  });

  test.each(operations)(
    "documents the rate-limit headers on every response of $name",
    ({ operation }) => {
      for (const response of Object.values(operation.responses)) {
        expect(Object.keys(response.headers)).toEqual([
          "X-RateLimit-Limit",
          "X-RateLimit-Remaining",
          "X-RateLimit-Reset",
        ]);
        expect(response.description).not.toBe("");
      }
      expect(operation.responses).toHaveProperty("200");
      expect(operation.responses).toHaveProperty("429");
    },
  );

  test("documents an oversized body where a request may have one", () => {
    const refusing = operations.filter(({ operation }) => "413" in operation.responses);
    expect(refusing.map(({ name }) => name).toSorted()).toEqual([
      "DELETE /schedule_files/{id}",
      "POST /oauth/token",
    ]);
  });

  test("describes and requires every path parameter", () => {
    for (const { path, operation } of operations) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      const described = (operation.parameters ?? []).filter((each) => each.in === "path");
      expect(described.map((each) => each.name)).toEqual(named);
      expect(described.every((each) => each.required)).toBe(true);
    }
  });

  test("uses client credentials and a JWT as security schemes, and only existing scopes", () => {
    const { securitySchemes } = description.components;
    expect(
      Object.keys(securitySchemes["clientCredentials"]?.flows?.["clientCredentials"]?.scopes ?? {}),
    ).toEqual([...SCOPES]);
    expect(securitySchemes["bearerToken"]).toMatchObject({
      type: "http",
      scheme: "bearer",
      bearerFormat: "JWT",
    });
    for (const { operation } of operations) {
      for (const [scheme, scopes] of operation.security.flatMap((each) => Object.entries(each))) {
        expect(securitySchemes).toHaveProperty(scheme);
        for (const scope of scopes) expect(SCOPES).toContain(scope);
      }
    }
  });
});
