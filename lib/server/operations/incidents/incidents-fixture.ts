import { randomUUID } from "node:crypto";
import { rowFixture } from "@/lib/contracts/row-fixture";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import { INCIDENT_SETTINGS } from "@/lib/domain/incidents/settings-fixture";
import { step, type Observation } from "@/lib/domain/incidents/step";
import { isQuietAt } from "@/lib/domain/quiet/planned-quiet";
import { concerns } from "@/lib/domain/quiet/concerns";
import { forgetOngoing } from "@/lib/server/cache/held-ongoing";
import { readPlannedQuietWithin } from "@/lib/server/store/quiet/planned-quiet";
import { isTrouble } from "@/lib/domain/incidents/incident";
import type { Verdict } from "@/lib/domain/sync";
import { createFleetIncidents } from "@/lib/server/collector/fleet-fold";
import type { ChannelSeal } from "@/lib/server/delivery/channel-settings";
import { createLocalSendToChannel } from "@/lib/server/delivery/outbox-fixture";
import { createDialGuard, type Resolve } from "@/lib/server/upstream/dial/allowed-targets";
import { LOOPBACK } from "@/lib/server/upstream/dial/loopback-fixture";
import { createSeal } from "@/lib/server/upstream/seal";
import { routeAt } from "@/lib/server/gate/routes-fixture";
import { createAddressTree } from "@/lib/server/http/routes/address-tree";
import { scanRoutes } from "@/lib/server/http/routes/route-manifest.mjs";
import {
  createBrowser,
  createTestApp,
  testWithApp,
  type TestApp,
} from "@/lib/server/gate/app-fixture";
import { createLog } from "@/lib/server/log";
import type { Method } from "@/lib/server/http/handlers";
import { gaps } from "@/lib/server/store/schema/record";
import {
  giveBackLent,
  readIncidentsState,
  writeIncidents,
} from "@/lib/server/store/incidents/incident-records";
import type { RehearsalRuntime } from "@/lib/server/operations/rules/rehearse";
import type { ChangesRuntime } from "./get-changes";
import { MINUTE_MS } from "@/lib/domain/time/units";

const NO_CONNECTION = { origin: "", clientId: "", clientSecret: "" };

type Browser = ReturnType<typeof createBrowser>;
type Name = "ana" | "bo" | "ada" | "vera" | "hal";

/** An endpoint as a check finds it; `overdue`: minutes overdue beyond its hour. */
export type Found = {
  id: string;
  partner: string;
  key: string;
  verdict: Verdict;
  overdue?: number;
  /** How many minutes before the check its data arrived, if it isn't in trouble. */
  arrived?: number;
  /** How long its last run took. */
  seconds?: number;
};

export type IncidentsApp = TestApp & {
  /**
   * `ana` and `bo` are members at Northgate, `vera` a viewer there, `hal` a member at Harbour, `ada` an administrator.
   */
  people: Readonly<Record<Name, { id: string; browser: Browser }>>;
  /**
   * Runs one check of a company: publishes it and updates its incidents. @param aheadMs how far the
   * API's clock is ahead
   */
  check(
    company: string,
    found: readonly Found[],
    gap?: Observation["gap"],
    aheadMs?: number,
  ): Promise<void>;
  /** Applies the incidents to fleet incidents, a few seconds later. */
  foldFleets(): Promise<void>;
  /** Records a gap in observation. */
  addGap(company: string, gap: { fromMs: number; untilMs: number }): Promise<void>;
  /** Sends a request as a person; `path` is relative to `/api`. */
  ask(as: Name, method: Method, path: string, body?: unknown): Promise<Response>;
  /** What the handlers run on. */
  handlersRuntime: ChangesRuntime & RehearsalRuntime & { channelSeal: ChannelSeal };
  /** Signs everybody in, and forgets all incidents. */
  begin(): Promise<void>;
};

/** Names of `internal` have a private address, all others a public one. */
const resolveNames = ((
  name: string,
  _: object,
  found: (error: null, addresses: { address: string; family: number }[]) => void,
) => {
  const address = name.startsWith("internal") ? "10.0.0.1" : "93.184.216.34";
  found(null, [{ address, family: 4 }]);
}) as unknown as Resolve;

/** A Plumbline behind our real handlers, with scripted checks. */
export async function createIncidentsApp(): Promise<IncidentsApp> {
  const app = await createTestApp();
  const { database, clock } = app;
  const runtime = {
    ...app.runtime,
    dialGuard: createDialGuard(LOOPBACK, resolveNames),
    channelSeal: createSeal(["a secret of a test"], NO_CONNECTION, "channel settings"),
    sendToChannel: createLocalSendToChannel({ clock }),
    config: { pollSeconds: 60, retentionDays: 90, reportTimeZone: "UTC", messageWaitMs: 0 },
  };
  app.serve(runtime);

  const add = async (name: Name, role: Parameters<typeof app.addPerson>[1], company: string) => ({
    id: await app.addPerson(
      `${name}@example.com`,
      role,
      role === "administrator" ? [null] : [company],
    ),
    browser: createBrowser(runtime),
  });
  const people = {
    ana: await add("ana", "member", "northgate"),
    bo: await add("bo", "member", "northgate"),
    vera: await add("vera", "viewer", "northgate"),
    hal: await add("hal", "member", "harbour"),
    ada: await add("ada", "administrator", ""),
  };

  const fleets = createFleetIncidents({
    database,
    clock,
    random: () => 0.5,
    newId: randomUUID,
    log: createLog("silent"),
    disk: { isLow: () => Promise.resolve(false) },
    pollSeconds: 60,
  });

  /** Number of snapshots so far. */
  let version = 0;

  function rowOf({ id, partner, key, verdict, overdue = 0, seconds }: Found): SyncStatusRow {
    const nowMs = clock.nowMs();
    const ago = (minutes: number) => new Date(nowMs - minutes * MINUTE_MS).toISOString();
    const isFailing = verdict === "failing";
    return rowFixture({
      id,
      partner_name: partner,
      endpoint_key: key,
      frequency_minutes: 60,
      last_updated_at: verdict === "unknown" ? null : ago(isTrouble(verdict) ? 60 + overdue : 5),
      next_sync_at: ago(-30),
      last_sync_status: isFailing ? "failed" : "completed",
      last_sync_started_at: ago(3),
      last_sync_finished_at: ago(2),
      ...(seconds !== undefined && { last_sync_duration_seconds: seconds }),
      verdict,
    });
  }

  return {
    ...app,
    people,
    handlersRuntime: runtime,
    async check(company, found, gap = null, aheadMs = 0) {
      const nowMs = clock.nowMs() + aheadMs;
      const before = await readIncidentsState(database, company);
      const planned = await readPlannedQuietWithin(database, company, {
        fromMs: nowMs,
        untilMs: nowMs + 1,
      });
      const { state, ended, events } = step(
        before,
        {
          atMs: nowMs,
          gap,
          endpoints: found.map((one) => ({
            id: one.id,
            key: one.key,
            partner: one.partner,
            verdict: one.verdict,
            troubleBeganMs: isTrouble(one.verdict) ? nowMs - 20 * MINUTE_MS : null,
            landedMs: nowMs - (isTrouble(one.verdict) ? 90 : (one.arrived ?? 0)) * MINUTE_MS,
            lastRun: null,
            isRescheduled: false,
            isQuiet: planned.some((quiet) => concerns(quiet, one) && isQuietAt(quiet, nowMs)),
          })),
        },
        INCIDENT_SETTINGS,
      );
      const was = new Set(before.open);
      const changed = state.open.filter((incident) => !was.has(incident));
      await database.orm.transaction(async (tx) => {
        await writeIncidents(tx, company, { state, ended, events, changed }, clock.nowMs());
        await giveBackLent(tx, company, clock.nowMs());
      });
      version += 1;
      runtime.snapshots.publish({
        company,
        state: {
          version,
          asOfMs: nowMs - aheadMs,
          lastAttemptMs: nowMs - aheadMs,
          reason: null,
          rhythmSeconds: 60,
          nextRefreshMs: nowMs - aheadMs + MINUTE_MS,
          apiClockOffsetMs: aheadMs,
          databaseClockOffsetMs: null,
          totalPages: 1,
          rateLimit: null,
          budget: { used: 1, limit: 60 },
        },
        rows: found.map(rowOf),
      });
    },
    async foldFleets() {
      await clock.advance(5_000);
      await fleets.work(database);
      forgetOngoing(runtime, null);
    },
    async addGap(company, { fromMs, untilMs }) {
      const [fromAt, untilAt] = [new Date(fromMs), new Date(untilMs)];
      await database.orm.insert(gaps).values({ company, fromAt, untilAt, reason: "unreachable" });
    },
    async ask(as, method, path, body) {
      const [pathname = ""] = path.split("?");
      const { address, params } = addressOf(`/api${pathname}`);
      const isMutation = method !== "GET";
      return people[as].browser.send(await routeAt(address, method), `/api${path}`, {
        method,
        params,
        ...(isMutation && { body: body ?? {} }),
      });
    },
    async begin() {
      await app.asOwner(
        "truncate incidents, incident_events, incident_states, incident_care, last_looks, expectations, allowances, rules, channels, deliveries, gaps, fleet_members, fleet_incidents, fleet_progress, deadline_risks, deadline_days, deadline_folds, deadlines, landings",
      );
      forgetOngoing(runtime, null);
      for (const [name, { browser }] of Object.entries(people)) {
        browser.jar.clear();
        await browser.signIn(`${name}@example.com`);
      }
    },
  };
}

/** `test` with an `app` as above, which all tests of the file share. */
export const incidentsTest = () => testWithApp(createIncidentsApp);

const findAddress = createAddressTree(scanRoutes(process.cwd()));

/** `/api/companies/northgate/incidents/1`: the address that answers it, and its variable parts. */
function addressOf(path: string): { address: string; params: Record<string, string> } {
  const found = findAddress(path);
  if (found === null) throw new Error(`nothing answers ${path}`);
  return found;
}
