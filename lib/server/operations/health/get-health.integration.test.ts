import { expect } from "vitest";
import { appTest, type TestApp } from "@/lib/server/gate/app-fixture";
import { getReadiness } from "./get-health";

const test = appTest();

const ready = async (app: TestApp) => {
  const answer = await getReadiness({
    ...app.runtime,
    clock: app.clock,
    snapshots: { ageMs: () => null },
    recording: { stopped: () => null },
  });
  return { status: answer.status, ...((await answer.json()) as object) };
};

test("reports a disagreement between our clock and PostgreSQL's in readiness and once in the log, and its end in both", async ({
  app,
}) => {
  expect(await ready(app)).toMatchObject({ status: "ok", clocks: "ok" });
  app.jumpOurs(24 * 3_600_000);
  expect(await ready(app)).toMatchObject({ status: "ok", database: "ok", clocks: "disagree" });
  await ready(app);
  expect(app.logged("clock_differs")).toEqual([
    { ours: expect.stringMatching(/Z$/), database: expect.stringMatching(/Z$/) },
  ]);
  app.jumpOurs(-24 * 3_600_000);
  expect(await ready(app)).toMatchObject({ clocks: "ok" });
  expect(app.logged("clock_agrees")).toHaveLength(1);
});
