import { describe, expect, test } from "vitest";
import { readEnvironment } from "@/lib/server/environment";
import { proxyFor, readProxies } from "./proxy";

function read(env: Record<string, string>) {
  const environment = readEnvironment(env);
  const proxies = readProxies(environment);
  return {
    problems: environment.problems,
    to: (address: string) => proxyFor(new URL(address), proxies)?.origin ?? null,
    authorization: proxies.https?.authorization ?? null,
  };
}

const PROXY = "http://proxy.example:3128";

describe("proxyFor", () => {
  test("uses the proxy of the scheme, or none if unset", () => {
    const { to } = read({ HTTPS_PROXY: PROXY, HTTP_PROXY: "other.example:8080" });
    expect(to("https://api.example/v3")).toBe(PROXY);
    expect(to("http://api.example/v3")).toBe("http://other.example:8080");
    expect(read({ HTTP_PROXY: PROXY }).to("https://api.example")).toBeNull();
    expect(read({ HTTPS_PROXY: " " }).to("https://api.example")).toBeNull();
  });

  test("prefers the lower-case variable", () => {
    const { to } = read({ HTTPS_PROXY: "http://loud.example", https_proxy: PROXY });
    expect(to("https://api.example")).toBe(PROXY);
  });

  test("decodes credentials, and removes them from the origin", () => {
    const { to, authorization } = read({ HTTPS_PROXY: "http://us%40er:p%3Aw@proxy.example:3128" });
    expect(to("https://api.example")).toBe(PROXY);
    expect(authorization).toBe(`Basic ${Buffer.from("us@er:p:w").toString("base64")}`);
    const alone = read({ HTTPS_PROXY: "http://user@proxy.example" }).authorization;
    expect(alone).toBe(`Basic ${Buffer.from("user:").toString("base64")}`);
  });

  test.each([
    "socks5://proxy.example",
    "http://proxy.example/path",
    "http://user:%zz@proxy.example",
    "not an address",
  ])("reports an invalid proxy without its value: %s", (value) => {
    const { problems } = read({ https_proxy: value });
    expect(problems).toEqual([expect.stringMatching(/^https_proxy: must be /)]);
    expect(problems.join("")).not.toContain(value);
  });

  test.each([
    "http://localhost:3000/api/v3",
    "http://a.localhost",
    "http://127.0.0.1:3000",
    "http://127.9.9.9",
    "http://[::1]:3000",
    "https://localhost.",
  ])("uses no proxy for loopback addresses: %s", (address) => {
    expect(read({ HTTP_PROXY: PROXY, HTTPS_PROXY: PROXY }).to(address)).toBeNull();
  });
});

test.each([
  ["*", "https://api.example", true],
  ["api.example", "https://api.example", true],
  ["api.example", "https://v3.api.example", true],
  ["api.example", "https://notapi.example", false],
  [".api.example", "https://v3.api.example", true],
  [".api.example", "https://api.example", true],
  ["*.api.example", "https://v3.api.example", true],
  ["API.Example.", "https://api.example", true],
  ["other.example, api.example", "https://api.example", true],
  ["other.example api.example", "https://api.example", true],
  ["api.example:443", "https://api.example", true],
  ["api.example:8443", "https://api.example", false],
  ["api.example:8443", "https://api.example:8443", true],
  ["10.0.0.0/8", "https://10.1.2.3", true],
  ["10.0.0.0/8", "https://11.1.2.3", false],
  ["10.0.0.0/8:8080", "http://10.1.2.3:8080", true],
  ["10.0.0.0/99", "https://10.0.0.1", false],
  ["10.1.2.3", "https://10.1.2.3", true],
  ["10.1.2.3", "https://10.1.2.34", false],
  ["fd00::/8", "https://[fd12::1]", true],
  ["fd12:0::1", "https://[fd12::1]", true],
  ["[fd12::1]:443", "https://[fd12::1]", true],
  ["[fd12::1]:444", "https://[fd12::1]", false],
  ["", "https://api.example", false],
  [".", "https://api.example", false],
  [":443", "https://api.example", false],
])("NO_PROXY=%s excepts %s: %s", (list, address, isExcepted) => {
  const { to } = read({ HTTPS_PROXY: PROXY, HTTP_PROXY: PROXY, NO_PROXY: list });
  expect(to(address) === null).toBe(isExcepted);
  expect(read({ HTTPS_PROXY: PROXY, HTTP_PROXY: PROXY, no_proxy: list }).to(address)).toBe(
    to(address),
  );
});
