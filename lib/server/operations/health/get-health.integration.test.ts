import { afterAll, beforeAll, expect, test } from "vitest";
import { createAuthFixture, type AuthFixture } from "@/lib/server/gate/auth-fixture";
import { getReadiness } from "./get-health";

let fixture: AuthFixture;
beforeAll(async () => {
  fixture = await createAuthFixture();
});
afterAll(() => fixture.drop());

const ready = async () => {
  const answer = await getReadiness({
    ...fixture.runtime,
    clock: fixture.clock,
    snapshots: { ageMs: () => null },
    recording: { stopped: () => null },
  });
  return { status: answer.status, ...((await answer.json()) as object) };
};

test("reports a disagreement between our clock and PostgreSQL's in readiness and once in the log, and its end in both", async () => {
  expect(await ready()).toMatchObject({ status: "ok", clocks: "ok" });
  fixture.jumpOurs(24 * 3_600_000);
  expect(await ready()).toMatchObject({ status: "ok", database: "ok", clocks: "disagree" });
  await ready();
  expect(fixture.logged("clock_differs")).toEqual([
    { ours: expect.stringMatching(/Z$/), database: expect.stringMatching(/Z$/) },
  ]);
  fixture.jumpOurs(-24 * 3_600_000);
  expect(await ready()).toMatchObject({ clocks: "ok" });
  expect(fixture.logged("clock_agrees")).toHaveLength(1);
});
