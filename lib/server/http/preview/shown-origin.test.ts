import { describe, expect, test } from "vitest";
import { reachedOrigin } from "@/lib/server/http/front-headers";
import { originToShow } from "./shown-origin";

const shown = (appUrl: string, headers: Readonly<Record<string, string>>) =>
  originToShow(appUrl, reachedOrigin(new Headers(headers)));

describe("the displayed origin", () => {
  test("is the public origin, whatever the request was sent to", () => {
    expect(shown("https://plumbline.example", { "x-plumbline-origin": "http://tv.lan" })).toBe(
      "https://plumbline.example",
    );
  });

  test("is the one that was reached while the public origin is a loopback name", () => {
    for (const appUrl of ["http://localhost:3000", "http://127.0.0.1:3000", "http://[::1]:3000"]) {
      const reached = "http://192.168.1.5:3000";
      expect(shown(appUrl, { "x-plumbline-origin": reached })).toBe(reached);
    }
  });

  test("is never taken from the client alone", () => {
    expect(shown("http://localhost:3000", { host: "evil.example:3000" })).toBe(
      "http://localhost:3000",
    );
  });

  test("is never more than an origin", () => {
    const said = (origin: string) =>
      shown("http://localhost:3000", { "x-plumbline-origin": origin });
    expect(said("a b")).toBe("http://localhost:3000");
    expect(said("javascript:alert(1)")).toBe("http://localhost:3000");
    expect(said("http://tv.lan/x?y#z")).toBe("http://tv.lan");
  });
});
