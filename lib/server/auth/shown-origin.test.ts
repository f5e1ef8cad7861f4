import { describe, expect, test } from "vitest";
import { originToShow } from "./shown-origin";

describe("originToShow", () => {
  test("is the public origin, whatever the request was sent to", () => {
    expect(originToShow("https://plumbline.example", "evil.example")).toBe(
      "https://plumbline.example",
    );
  });

  test("is the address that was reached while the public origin is this machine's own", () => {
    expect(originToShow("http://localhost:3000", "192.168.1.5:3000")).toBe(
      "http://192.168.1.5:3000",
    );
    expect(originToShow("http://127.0.0.1:3000", "tv.lan:3000")).toBe("http://tv.lan:3000");
    expect(originToShow("http://[::1]:3000", "tv.lan:3000")).toBe("http://tv.lan:3000");
  });

  test("is never more than an origin", () => {
    expect(originToShow("http://localhost:3000", null)).toBe("http://localhost:3000");
    expect(originToShow("http://localhost:3000", "a b")).toBe("http://localhost:3000");
    expect(originToShow("http://localhost:3000", "tv.lan/x?y#z")).toBe("http://tv.lan");
  });
});
