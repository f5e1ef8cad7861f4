import { describe, expect, test } from "vitest";
import { addressRange, createDialGuard, mayReach } from "./allowed-targets";

const may = (address: string, isSecure = true, allowed: readonly string[] = []) =>
  mayReach(
    address,
    isSecure,
    allowed.flatMap((text) => addressRange(text) ?? []),
  );

describe("mayReach", () => {
  test.each(["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946", "::ffff:93.184.216.34"])(
    "allows %s over TLS, and without TLS only if listed",
    (address) => {
      expect(may(address)).toBe(true);
      expect(may(address, false)).toBe(false);
    },
  );

  test.each([
    "127.0.0.1",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "224.0.0.1",
    "192.0.2.1",
    "198.18.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1",
    "fd00::1",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::127.0.0.1",
    "::7f00:1",
    "::a00:1",
    "4000::1",
    "64:ff9b:1::7f00:1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "2001::1",
    "2001:db8::1",
    "not an address",
  ])("rejects %s", (address) => {
    expect(may(address)).toBe(false);
  });

  test("allows listed addresses, without TLS too and in other notations", () => {
    expect(may("127.0.0.1", false, ["127.0.0.0/8"])).toBe(true);
    expect(may("::ffff:127.0.0.1", false, ["127.0.0.0/8"])).toBe(true);
    expect(may("10.0.0.1", true, ["127.0.0.0/8"])).toBe(false);
    expect(may("fd00::7", true, ["fd00::/8"])).toBe(true);
  });

  test("parses ranges as an address with a prefix length", () => {
    expect(["10.0.0.0/8", "::1/128"].map(addressRange)).not.toContain(null);
    expect(["10.0.0.0", "10.0.0.0/33", "x/8", ""].map(addressRange)).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});

describe("createDialGuard", () => {
  const refuses = (url: string, allowed: readonly string[] = []) =>
    createDialGuard(allowed.flatMap((text) => addressRange(text) ?? [])).refuses(new URL(url));

  test.each([
    "https://localhost/x",
    "https://LOCALHOST./x",
    "https://a.localhost:8443/",
    "http://localhost",
  ])("refuses %s whatever a resolver says, unless loopback is allowed", (url) => {
    expect(refuses(url)).toBe(true);
    expect(refuses(url, ["10.0.0.0/8"])).toBe(true);
    expect(refuses(url, ["127.0.0.0/8"])).toBe(false);
    expect(refuses(url, ["::1/128"])).toBe(false);
  });

  test("leaves other names to the resolver", () => {
    expect(refuses("https://notlocalhost/")).toBe(false);
    expect(refuses("https://localhost.example.com/")).toBe(false);
  });
});
