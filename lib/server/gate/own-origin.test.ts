import { describe, expect, test } from "vitest";
import { requestOrigin } from "./own-origin";
import { reachedOrigin } from "@/lib/server/http/front-headers";

const APP_URL = "http://localhost:3000";

const originOf = (
  headers: Readonly<Record<string, string>>,
  reached: string | null = "http://127.0.0.1:3000",
) =>
  requestOrigin(
    new Headers({ ...headers, ...(reached !== null && { "x-plumbline-origin": reached }) }),
    APP_URL,
  );

describe("requestOrigin", () => {
  test.each([
    [{}, "unsaid"],
    [{ "sec-fetch-site": "same-origin" }, "own"],
    [{ "sec-fetch-site": "same-origin", origin: APP_URL }, "own"],
    [{ origin: APP_URL }, "own"],
    [{ origin: "http://127.0.0.1:3000" }, "own"],
    [{ "sec-fetch-site": "same-site", origin: APP_URL }, "foreign"],
    [{ "sec-fetch-site": "cross-site" }, "foreign"],
    [{ "sec-fetch-site": "none" }, "foreign"],
    [{ "sec-fetch-site": "same-origin", origin: "http://evil.example" }, "foreign"],
    [{ origin: "http://localhost:3001" }, "foreign"],
    [{ origin: "http://localhost" }, "foreign"],
    [{ origin: "https://localhost:3000" }, "foreign"],
    [{ origin: "https://127.0.0.1:3000" }, "foreign"],
    [{ origin: "null" }, "foreign"],
    [{ origin: "" }, "foreign"],
    [{ origin: "chrome-extension://abcdef" }, "foreign"],
  ] as const)("classifies a request with %j as %s", (headers, expected) => {
    expect(originOf(headers)).toBe(expected);
  });

  test.each(["evil.example:3000", "127.0.0.1:3000", "192.168.1.5:3000"])(
    "doesn't trust a host that only the client names: %s",
    (host) => {
      expect(originOf({ origin: `http://${host}`, host }, null)).toBe("foreign");
      expect(originOf({ origin: `https://${host}`, host }, null)).toBe("foreign");
    },
  );

  test("uses only the origin that the front reports, with its scheme and port", () => {
    const reached = "http://192.168.1.5:3000";
    expect(originOf({ origin: reached }, reached)).toBe("own");
    expect(originOf({ origin: "https://192.168.1.5:3000" }, reached)).toBe("foreign");
    expect(originOf({ origin: "http://192.168.1.5:3001" }, reached)).toBe("foreign");
    expect(originOf({ origin: "http://127.0.0.1:3000" }, reached)).toBe("foreign");
    expect(originOf({ origin: "http://sync.lan" }, "http://sync.lan:80")).toBe("own");
  });

  test.each(["", "null", "evil.example:3000", "chrome-extension://abcdef", "file:///x"])(
    "treats nothing as own when the front reports %j",
    (said) => {
      for (const origin of [said, "null"]) {
        expect(originOf({ origin, host: "evil.example:3000" }, said)).toBe("foreign");
      }
      expect(reachedOrigin(new Headers({ "x-plumbline-origin": said }))).toBe(null);
    },
  );
});
