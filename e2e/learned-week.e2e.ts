import { expect, test, type Page } from "@playwright/test";
import { learnedQuiet, QUIET_LABEL } from "@/lib/domain/learned-week/quiet-text";
import { weekTime } from "@/lib/domain/learned-week/week-span";
import { endpointPath } from "@/lib/domain/partner-address";
import { iso } from "@/lib/domain/time/instant";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { writeLook, writeLookedUntil } from "@/lib/server/store/learned-weeks/write-weeks";
import {
  AMPLE_BUDGET,
  connectedTo,
  expectNoViolationInAnyForm,
  onRecord,
  signIn,
  startApp,
  syncStatus,
  type App,
} from "./app";
import {
  startMisbehavingUpstream,
  type MisbehavingUpstream,
} from "./upstream/misbehaving-upstream";
import { sampleRows } from "./upstream/sample-rows";

/** Both feeds rest yesterday and today, each week, in UTC. */
const nowMs = Date.now();
const restMs = Math.floor(nowMs / DAY_MS) * DAY_MS - DAY_MS;
const WEEKDAY = (new Date(restMs).getUTCDay() + 6) % 7;
const SPAN = { from: WEEKDAY * 1440, until: (WEEKDAY + 2) * 1440 };
const QUIET = learnedQuiet(
  { spans: [{ from: weekTime(SPAN.from), until: weekTime(SPAN.until) }], time_zone: "UTC" },
  "UTC",
);
/** The second one had stopped five hours before. */
const FEEDS = [
  { id: "sc-1", landedMs: restMs - 20 * MINUTE_MS },
  { id: "sc-2", landedMs: restMs - 5 * HOUR_MS },
] as const;
const PARTNER = "Procore";

let upstream: MisbehavingUpstream;
let app: App;

test.beforeAll(async () => {
  const rows = sampleRows(8, nowMs).map((row) => {
    const feed = FEEDS.find(({ id }) => id === row.id);
    if (feed === undefined) return row;
    const at = iso(feed.landedMs);
    return {
      ...row,
      attributes: {
        ...row.attributes,
        last_updated_at: at,
        last_sync_started_at: at,
        last_sync_finished_at: at,
        last_sync_duration_seconds: 0,
        next_sync_at: null,
      },
    };
  });
  upstream = await startMisbehavingUpstream({ rows });
  app = await startApp({
    ...connectedTo(upstream),
    ...AMPLE_BUDGET,
    REPORT_TIME_ZONE: "UTC",
    INCIDENT_OPEN_MINUTES: "0",
  });
});
test.afterAll(async () => {
  await app.end();
  await upstream.close();
});

/** Records the landings of five weeks, and what a look at them finds. */
async function learn(): Promise<void> {
  const week = { timeZone: "UTC", spans: [SPAN], cadenceMs: HOUR_MS, sinceMs: nowMs };
  await onRecord(app, async (database) => {
    for (const { id, landedMs } of FEEDS) {
      const hours = Array.from({ length: 35 * 24 }, (_, at) => landedMs - at * HOUR_MS);
      const landings = hours.filter(
        (ms) => ![0, 1].includes((Math.floor((ms - restMs) / DAY_MS) + 7_000) % 7),
      );
      await database.pool.query(
        `insert into landings (company, endpoint_id, landed_at, origin)
         select 'main', $1, unnest($2::timestamptz[]), 'observed' on conflict do nothing`,
        [id, landings.map(iso)],
      );
    }
    const state = { week, broken: null, goneMs: null };
    const looked = FEEDS.map(({ id }) => ({ endpointId: id, state, isChanged: true }));
    await writeLook(database, "main", looked, nowMs);
    await writeLookedUntil(database, "main", nowMs);
  });
}

const verdictOf = async (page: Page, id: string) =>
  (await syncStatus(page, app, "main")).rows.find((row) => row.id === id);

test("a learned week is named where it moves a verdict, until it is switched off", async ({
  page,
}) => {
  await signIn(page, app, "/main");
  expect(await verdictOf(page, "sc-1")).toMatchObject({ verdict: "stale" });
  await learn();
  await expect.poll(async () => (await verdictOf(page, "sc-1"))?.verdict).toBe("fresh");
  expect((await verdictOf(page, "sc-2"))?.verdict).toBe("stale");

  // In a row that is on time in its bar, or on a phone beside its verdict; otherwise below the row.
  await page.goto(`${app.address}/main?group=flat`);
  const rowOf = (key: string) => page.getByRole("row").filter({ hasText: key });
  const names = ["endpoint-1", "endpoint-2"];
  await expectNoViolationInAnyForm(page, async () => {
    for (const name of names)
      await expect(rowOf(name).getByText(QUIET_LABEL).filter({ visible: true })).toHaveCount(1);
  });
  await expect(rowOf("endpoint-2").getByRole("button", { name: `Stale, ${QUIET}` })).toBeVisible();

  await page.goto(`${app.address}/main/partners/${PARTNER}`);
  await expect(page.getByText(QUIET_LABEL).filter({ visible: true }).first()).toBeVisible();

  await page.goto(app.address + endpointPath("main", PARTNER, "sc-1"));
  const panel = page.getByRole("region", { name: "Learned week" });
  await expect(panel).toContainText(`L${QUIET.slice(1)}, UTC.`);
  await expectNoViolationInAnyForm(page);
  await panel.getByRole("button", { name: "Switch off" }).click();
  await expect(panel).toContainText("Switched off: data is expected at all times.");
  await expect.poll(async () => (await verdictOf(page, "sc-1"))?.verdict).toBe("stale");
  await expect(page.getByText(QUIET)).toHaveCount(0);
  await expect(page.getByText(QUIET_LABEL)).toHaveCount(0);
  await expectNoViolationInAnyForm(page);
});
