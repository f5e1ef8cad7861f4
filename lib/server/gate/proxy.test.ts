import { NextRequest } from "next/server";
import { afterEach, describe, expect, test, vi } from "vitest";
import { config, proxy } from "@/proxy";

afterEach(() => vi.unstubAllEnvs());

const ask = (path: string, headers: Record<string, string> = {}) =>
  proxy(new NextRequest(`http://localhost:3000${path}`, { headers }));
/** A request header as the page receives it. */
const inbound = (response: Response, name: string) =>
  response.headers.get(`x-middleware-request-${name}`);
const nonceOf = (response: Response) =>
  /'nonce-([^']+)'/.exec(response.headers.get("content-security-policy") ?? "")?.[1];
const matches = (path: string) => config.matcher.some((one) => new RegExp(`^${one}$`).test(path));

describe("the headers of a page", () => {
  test("allow scripts only with a nonce that is new each time", () => {
    const policy = ask("/").headers.get("content-security-policy") ?? "";
    const scripts = policy.split("; ").find((directive) => directive.startsWith("script-src"));
    expect(scripts).toMatch(/^script-src 'self' 'nonce-[A-Za-z0-9+/]{22}==' 'strict-dynamic'$/);
    expect(nonceOf(ask("/"))).not.toBe(nonceOf(ask("/")));
  });

  test("forbid plug-ins, base addresses, and requests and forms to other origins", () => {
    const policy = ask("/").headers.get("content-security-policy") ?? "";
    expect(policy.split("; ")).toEqual(
      expect.arrayContaining([
        "object-src 'none'",
        "base-uri 'none'",
        "connect-src 'self'",
        "form-action 'self'",
      ]),
    );
  });

  test("drop a client's own policy, nonce and path", () => {
    const response = ask("/northgate", {
      "content-security-policy": "script-src 'nonce-evil'",
      "content-security-policy-report-only": "script-src 'nonce-evil'",
      "x-nonce": "evil",
      "x-plumbline-path": "//evil.example",
    });
    expect(inbound(response, "content-security-policy")).toContain(`'nonce-${nonceOf(response)}'`);
    expect(inbound(response, "x-nonce")).toBe(nonceOf(response));
    expect(inbound(response, "x-plumbline-path")).toBe("/northgate");
    expect(response.headers.get("x-middleware-override-headers")).not.toContain("report-only");
  });

  test("contain the whole address, without Next's marker", () => {
    const path = "/northgate/partners/A%2FB%20%C3%A6?verdict=late&_rsc=1x2&q=a%26b";
    expect(inbound(ask(path), "x-plumbline-path")).toBe(
      "/northgate/partners/A%2FB%20%C3%A6?verdict=late&q=a%26b",
    );
  });

  test("forbid framing", () => {
    const { headers } = ask("/northgate");
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(headers.get("x-frame-options")).toBe("DENY");
  });

  describe("framing", () => {
    const framing = (path: string) => {
      const { headers } = ask(path);
      const ancestors = /frame-ancestors ([^;]+)/.exec(
        headers.get("content-security-policy") ?? "",
      );
      return [ancestors?.[1], headers.get("x-frame-options")];
    };

    test("is allowed for a wall, by its own origin and the configured ones", () => {
      expect(framing("/wall")).toEqual(["'self'", null]);
      vi.stubEnv("WALL_FRAME_ORIGINS", "https://intranet.example https://tv.example:8443");
      for (const path of ["/wall", "/wall/plain", "/northgate/wall"]) {
        expect(framing(path)).toEqual([
          "'self' https://intranet.example https://tv.example:8443",
          null,
        ]);
      }
    });

    test.each([
      "/",
      "/pair",
      "/settings/connections",
      "/settings/displays",
      "/northgate",
      "/northgate/walls",
      "/northgate/partners/wall",
      "/wall/other",
      "/Wall",
      "/signin?callbackUrl=/wall",
    ])("is refused for %s, whatever the configuration", (path) => {
      vi.stubEnv("WALL_FRAME_ORIGINS", "https://intranet.example");
      expect(framing(path)).toEqual(["'none'", "DENY"]);
    });
  });

  test("covers every page, but neither handlers with their own headers nor files", () => {
    for (const path of ["/", "/signin", "/northgate", "/wall", "/pair", "/apiary", "/metrics-x"]) {
      expect(matches(path)).toBe(true);
    }
    for (const path of [
      "/api/companies",
      "/api/elsewhere",
      "/api/pair",
      "/api/displays",
      "/api/wall/report",
      "/api/v3/sync_status",
      "/metrics",
      "/_next/static/a.js",
    ]) {
      expect(matches(path)).toBe(false);
    }
  });
});
