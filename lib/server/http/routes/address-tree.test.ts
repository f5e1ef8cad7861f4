import { expect, test } from "vitest";
import { createAddressTree } from "./address-tree";

const find = createAddressTree({
  "/metrics": "metrics",
  "/api/companies": "companies",
  "/api/companies/[company]/files": "files",
  "/api/companies/[company]/files/facets": "facets",
  "/api/companies/[company]/files/[id]": "file",
  "/api/companies/[...rest]": "nothing",
  "/api/v3/[[...path]]": "v3",
});

test.each([
  ["/metrics", "metrics", {}],
  ["/api/companies", "companies", {}],
  ["/api/companies/north/files", "files", { company: "north" }],
  ["/api/companies/north/files/facets", "facets", { company: "north" }],
  ["/api/companies/north/files/7", "file", { company: "north", id: "7" }],
  ["/api/companies/A%2FB%25/files", "files", { company: "A/B%" }],
  ["/api/companies/north", "nothing", { rest: "north" }],
  ["/api/companies/north/files/7/8", "nothing", { rest: "north/files/7/8" }],
  ["/api/companies//files", "nothing", { rest: "/files" }],
  ["/api/companies/__proto__/files", "files", { company: "__proto__" }],
  ["/api/v3", "v3", {}],
  ["/api/v3/a/b%20c", "v3", { path: "a/b c" }],
])("finds %s as %s", (path, value, params) => {
  expect(find(path)).toMatchObject({ value, params });
});

test.each(["/", "/api", "/api/", "/metrics/", "/metrics/x", "/Metrics", "/%6Detrics", "/api/v33"])(
  "finds nothing at %s",
  (path) => expect(find(path)).toBeNull(),
);
