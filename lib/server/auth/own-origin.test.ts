import { expect, test } from "vitest";
import { requestOrigin } from "./own-origin";

const HOST = "127.0.0.1:3000";

test.each([
  [{}, "unsaid"],
  [{ "sec-fetch-site": "same-origin" }, "own"],
  [{ "sec-fetch-site": "same-origin", origin: "http://localhost:3000" }, "own"],
  [{ origin: "http://localhost:3000" }, "own"],
  [{ origin: `http://${HOST}` }, "own"],
  [{ "sec-fetch-site": "same-site", origin: "http://localhost:3000" }, "foreign"],
  [{ "sec-fetch-site": "cross-site" }, "foreign"],
  [{ "sec-fetch-site": "none" }, "foreign"],
  [{ "sec-fetch-site": "same-origin", origin: "http://evil.example" }, "foreign"],
  [{ origin: "http://localhost:3001" }, "foreign"],
  [{ origin: "null" }, "foreign"],
] as const)("a request with %j is %s", (headers, expected) => {
  const given = new Headers({ ...headers, host: HOST });
  expect(requestOrigin(given, "http://localhost:3000")).toBe(expected);
});
