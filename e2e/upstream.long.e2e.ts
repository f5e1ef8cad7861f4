import { expect, test } from "@playwright/test";
import { AMPLE_BUDGET, connectedTo, signIn, startApp, type App } from "./app";
import type { Fault, FaultOptions } from "./upstream/fault";
import {
  UPSTREAM_DESCRIPTION,
  startMisbehavingUpstream,
  type MisbehavingUpstream,
} from "./upstream/misbehaving-upstream";

/** Every upstream fault, and the text that we show for it. */
const FAULTS: readonly [Fault, string, FaultOptions?][] = [
  [{ kind: "down" }, "unreachable"],
  [{ kind: "reset" }, "unreachable"],
  [{ kind: "error_500" }, "unreachable"],
  [{ kind: "html_502" }, "unreachable"],
  [{ kind: "malformed_json" }, "invalid_response"],
  [{ kind: "truncated" }, "invalid_response"],
  [{ kind: "wrong_types" }, "invalid_response"],
  [{ kind: "empty_with_total" }, "invalid_response"],
  [{ kind: "huge_body", bytes: 20_000_000 }, "invalid_response"],
  [{ kind: "gzip_bomb", bytes: 20_000_000 }, "invalid_response"],
  [{ kind: "redirect" }, "invalid_response"],
  [{ kind: "unauthorized" }, "unauthorized"],
  [{ kind: "forbidden" }, "forbidden"],
  [{ kind: "rate_limited", headers: "retry_after", seconds: 1 }, "rate_limited"],
];

let upstream: MisbehavingUpstream;
let app: App;

test.beforeAll(async () => {
  upstream = await startMisbehavingUpstream();
  app = await startApp({ ...connectedTo(upstream), ...AMPLE_BUDGET });
});
test.afterAll(async () => {
  await app.end();
  await upstream.close();
});

test("keeps the rows through every fault, shows the reason, and recovers automatically", async ({
  page,
}) => {
  await signIn(page, app);
  await expect(page).toHaveURL(`${app.address}/main`);
  const status = async () => {
    const answer = await page.request.get(`${app.address}/api/companies/main/sync-status`);
    const text = await answer.text();
    expect(text).not.toContain(UPSTREAM_DESCRIPTION);
    expect(text).not.toContain(upstream.clientSecret);
    return JSON.parse(text) as { source: { reason: string | null }; rows: unknown[] };
  };
  await expect.poll(async () => (await status()).rows.length).toBe(12);
  for (const [fault, reason, options] of FAULTS) {
    await test.step(fault.kind, async () => {
      await upstream.setFault(fault, options);
      await expect
        .poll(async () => (await status()).source.reason, { timeout: 20_000 })
        .toBe(reason);
      expect((await status()).rows).toHaveLength(12);
      await upstream.setFault(null);
      await expect.poll(async () => (await status()).source.reason, { timeout: 20_000 }).toBeNull();
      expect((await status()).rows).toHaveLength(12);
    });
  }
});
