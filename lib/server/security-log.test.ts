import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createSecurityLog, EVENTS } from "./security-log";
import { addressName } from "./http/client-address.mjs";
import { createLog } from "./log";
import { createManualClock } from "./manual-clock";
import { MINUTE_MS } from "@/lib/domain/time/units";

const START_MS = Date.parse("2026-03-01T12:00:00Z");

function start() {
  const clock = createManualClock(START_MS);
  const lines: string[] = [];
  const log = createLog("info", { write: (line) => void lines.push(line) });
  const securityLog = createSecurityLog({ clock, log });
  return {
    clock,
    securityLog,
    /** Lines written since the last call. */
    written: () =>
      lines.splice(0).map((line) => {
        const { time: _, ...fields } = JSON.parse(line) as Record<string, unknown>;
        return fields;
      }),
    bytes: () => Buffer.byteLength(lines.join("")),
  };
}

const ana = { id: "p-1", name: "Ana Rask" };
const refused = { address: "192.0.2.1", person: ana };

test("has every event documented in docs/operating.md", () => {
  const manual = readFileSync("docs/operating.md", "utf8");
  const listed = [...manual.matchAll(/^\| `([a-z0-9_]+)` +\| [^|]*\|(?: [^|]* \|)?$/gm)].map(
    ([, name]) => name,
  );
  for (const event of Object.keys(EVENTS)) expect(listed).toContain(event);
});

describe("a security event", () => {
  test("is logged immediately with address, person and facts", () => {
    const { securityLog, written } = start();
    securityLog.record("sign_in_locked", refused, { limit: "account" });
    expect(written()).toEqual([
      {
        level: "warn",
        event: "sign_in_locked",
        address: "192.0.2.1",
        person: "p-1",
        name: "Ana Rask",
        limit: "account",
        count: 1,
        msg: "too many attempts to sign in",
      },
    ]);
  });

  test("is counted in one line a minute while it recurs, with counts that add up", async () => {
    const { securityLog, clock, written } = start();
    for (let minute = 0; minute < 3; minute++) {
      for (let i = 0; i < 100; i++) securityLog.record("sign_in_refused", refused, { known: true });
      await clock.advance(MINUTE_MS);
    }
    const lines = written();
    expect(lines.map(({ count, since }) => [count, since])).toEqual([
      [1, undefined],
      [99, "2026-03-01T12:00:00.000Z"],
      [100, "2026-03-01T12:01:00.000Z"],
      [100, "2026-03-01T12:02:00.000Z"],
    ]);
    expect(lines[1]).toMatchObject({ address: "192.0.2.1", person: "p-1", known: true });
  });

  test("is logged immediately again after a minute without it, and no timer runs in between", async () => {
    const { securityLog, clock, written } = start();
    securityLog.record("metrics_refused", { address: "192.0.2.1" });
    await clock.advance(MINUTE_MS);
    expect(clock.sleeping()).toEqual([]);
    securityLog.record("metrics_refused", { address: "192.0.2.1" });
    expect(written().map(({ count }) => count)).toEqual([1, 1]);
  });

  test("is logged separately for a different address, person or fact, but not within one IPv6 /64", () => {
    const { securityLog, written } = start();
    const recordOne = (address: string, person: typeof ana | null, limit: string) =>
      securityLog.record("sign_in_locked", { address, person }, { limit });
    recordOne("192.0.2.1", ana, "account");
    recordOne("192.0.2.2", ana, "account");
    recordOne("192.0.2.1", { id: "p-2", name: "Ana Rask" }, "account");
    recordOne("192.0.2.1", null, "account");
    recordOne("192.0.2.1", ana, "address");
    expect(written()).toHaveLength(5);
    for (let i = 1; i < 1_000; i++)
      recordOne(addressName(`2001:db8::${i.toString(16)}`) ?? "", null, "address");
    expect(written().map(({ address }) => address)).toEqual(["2001:db8:0:0::/64"]);
  });

  test("is logged separately for some of many addresses, and counted together for the rest", async () => {
    const { securityLog, clock, written } = start();
    for (let i = 0; i < 500; i++) {
      securityLog.record("sign_in_refused", { address: `198.51.100.${i % 250}` }, { known: false });
    }
    expect(written()).toHaveLength(10);
    await clock.advance(MINUTE_MS);
    const lines = written();
    const others = lines.filter(({ address }) => address === undefined);
    expect(lines).toHaveLength(11);
    expect(others).toMatchObject([{ event: "sign_in_refused", addresses: 240, count: 480 }]);
  });

  test("is logged despite a flood of other events", () => {
    const { securityLog, written } = start();
    for (let i = 0; i < 10_000; i++) {
      const address = `10.${i % 200}.${i % 241}.1`;
      securityLog.record("cross_site_refused", { address }, { why: "origin" });
      securityLog.record("limit_hit", { address }, { limit: "v3_requests" });
      securityLog.record("token_refused", { address }, { known: false });
    }
    securityLog.record("sign_in", { address: "192.0.2.9", person: ana });
    expect(written().at(-1)).toMatchObject({ event: "sign_in", name: "Ana Rask", count: 1 });
  });

  test("adds at most 100 kB a minute with all others", async () => {
    const { securityLog, clock, bytes, written } = start();
    const name = "\u0001".repeat(10_000);
    const events = [
      "sign_in",
      "sign_in_refused",
      "sign_in_locked",
      "sign_out",
      "session_ended",
      "forbidden",
      "cross_site_refused",
      "pairing_opened",
      "pairing_failed",
      "display_paired",
      "display_revoked",
      "display_refused",
      "metrics_refused",
      "token_refused",
      "limit_hit",
    ] as const;
    for (let minute = 0; minute < 3; minute++) {
      for (let i = 0; i < 500; i++) {
        const address = `10.${minute}.${i >> 8}.${i & 255}`;
        for (const event of events) {
          // Half of the addresses recur.
          const from = i % 2 === 0 ? `192.0.2.${i % 40}` : address;
          securityLog.record(
            event,
            { address: from, person: { id: `p-${i}`, name } },
            { why: name },
          );
          securityLog.failed("request_failed", new Error(`${name}${i}`), null);
        }
      }
      await clock.advance(MINUTE_MS);
      expect(bytes()).toBeLessThan(100_000);
      expect(written().length).toBeGreaterThan(20);
    }
  });

  test("can't inject another line", () => {
    const { securityLog, written } = start();
    const forged = '1.2.3.4"}\n{"level":"info","event":"sign_in"';
    securityLog.record("cross_site_refused", { address: forged }, { from: forged });
    expect(written()).toHaveLength(1);
  });

  test("has its count written by flush", () => {
    const { securityLog, written } = start();
    for (let i = 0; i < 5; i++) securityLog.record("metrics_refused", { address: "192.0.2.1" });
    securityLog.flush();
    expect(written().map(({ count }) => count)).toEqual([1, 4]);
  });
});

describe("a failure", () => {
  const outage = () =>
    new Error("Failed query", {
      cause: Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }),
    });
  const request = { method: "GET", url: "http://localhost/s/secret-token?q=ana" };

  test("is logged once with its cause, counted while it recurs, and reported as over", async () => {
    const { securityLog, clock, written } = start();
    const ids = new Set<string>();
    for (let minute = 0; minute < 3; minute++) {
      for (let i = 0; i < 1_800; i++) {
        ids.add(securityLog.failed("request_unanswered", outage(), request));
      }
      await clock.advance(MINUTE_MS);
    }
    await clock.advance(MINUTE_MS);
    const [first, ...rest] = written();
    expect(first).toMatchObject({
      event: "request_unanswered",
      method: "GET",
      err: { cause: { code: "ECONNREFUSED" } },
      count: 1,
    });
    expect(rest.map(({ count, err }) => [count, err])).toEqual([
      [1_799, undefined],
      [1_800, undefined],
      [1_800, undefined],
      [0, undefined],
    ]);
    expect(rest.at(-1)?.["msg"]).toBe("a request could not be answered: over");
    // All lines have the id that was returned.
    expect(ids.size).toBe(1);
    expect(new Set([first, ...rest].map((line) => line?.["id"]))).toEqual(ids);
  });

  test("is logged with the route label, without path and query", () => {
    const { securityLog, written } = start();
    securityLog.failed("request_failed", new Error("x"), request);
    const [line] = written();
    expect(line).toMatchObject({ method: "GET", route: "/[company]/other" });
    expect(JSON.stringify(line)).not.toMatch(/secret-token|ana/);
  });

  test("is distinguished by its cause, not by the message", () => {
    const { securityLog, written } = start();
    const here = (words: string) => securityLog.failed("request_failed", new Error(words), null);
    expect(here("cannot read 1")).toBe(here("cannot read 2"));
    const there = securityLog.failed("request_failed", new TypeError("cannot read 3"), null);
    expect(written().map(({ id }) => id)).toEqual([here("cannot read 4"), there]);
    const circular = new Error("it is its own cause");
    circular.cause = circular;
    expect(securityLog.failed("request_failed", circular, null)).toMatch(/^[0-9a-f-]{36}$/);
    expect(securityLog.failed("request_failed", undefined, null)).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("is counted under the returned id if it isn't logged separately", async () => {
    const { securityLog, clock, written } = start();
    const ids = Array.from({ length: 20 }, (_, i) =>
      securityLog.failed("request_failed", Object.assign(new Error("x"), { code: `E${i}` }), null),
    );
    await clock.advance(MINUTE_MS);
    const writtenIds = new Set(written().map(({ id }) => id));
    expect(ids.every((id) => writtenIds.has(id))).toBe(true);
    expect(writtenIds.size).toBe(5);
  });
});
