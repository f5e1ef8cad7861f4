import { randomUUID } from "node:crypto";
import { DisplaySettings, type Display } from "@/lib/contracts/wall";
import { Failure } from "@/lib/contracts/failure";
import { isZone, presentZoneName } from "@/lib/domain/time/present-zone";
import type { Auth } from "@/lib/server/auth/auth";
import type { Person } from "@/lib/server/auth/person";
import type { Clock } from "@/lib/server/clock";
import type { SecurityLog } from "@/lib/server/security-log";
import type { Database } from "@/lib/server/store/database";
import type { DisplayAction, DisplayRow } from "@/lib/server/store/displays/displays";
import { NO_STORABLE_TIME, storableMs } from "@/lib/server/store/storable";
import { invalid, notValid } from "@/lib/server/http/query";
import { requireConnected } from "@/lib/server/operations/connections/require-connected";
import { NO_DISPLAY } from "./words";

/** Dependencies of the display operations. */
export type DisplayRuntime = {
  database: Database;
  clock: Clock;
  auth: Pick<Auth, "time">;
  securityLog: SecurityLog;
  connections: readonly { company: string }[];
  build: string;
};

const LONGEST_MS = 2 * 366 * 24 * 3_600_000;

/** A display as JSON. */
export function displayView({ settings, ...row }: DisplayRow): Display {
  const { reloadRequestedAt, loadedAt } = row;
  const isReloadOpen =
    reloadRequestedAt !== null && (loadedAt === null || loadedAt < reloadRequestedAt);
  return {
    id: row.id,
    ...settings,
    time_zone: presentZoneName(settings.time_zone),
    created_at: row.createdAt.toISOString(),
    created_by: row.createdByName,
    // Until the display connects, its only credential dates from its pairing.
    waiting_since: row.lastSeenAt === null ? row.rotatedAt.toISOString() : null,
    revoked_at: instant(row.revokedAt),
    last_seen_at: instant(row.lastSeenAt),
    last_paint_at: instant(row.lastPaintAt),
    snapshot_age_seconds: row.snapshotAgeSeconds,
    build: row.build,
    user_agent: row.userAgent,
    reload_requested_at: isReloadOpen ? instant(reloadRequestedAt) : null,
  };
}

const instant = (at: Date | null) => at?.toISOString() ?? null;

/**
 * Parses the settings of a display.
 * @param before current settings: an end that is over, or a company that has left, may stay
 * @throws Failure `invalid_request` naming the invalid property
 */
export function settingsOf(
  { clock, connections }: Pick<DisplayRuntime, "clock" | "connections">,
  body: unknown,
  before: DisplaySettings | null = null,
): DisplaySettings {
  const parsed = DisplaySettings.safeParse(body);
  if (!parsed.success) throw notValid(parsed.error);
  const settings = parsed.data;
  requireConnected(connections, settings.companies ?? [], before?.companies ?? []);
  if (!isTimeZone(settings.time_zone)) {
    throw invalid("time_zone", "must be a time zone such as Europe/Copenhagen");
  }
  const companies = settings.companies === null ? null : [...new Set(settings.companies)];
  const expiresAt = endOf(settings.expires_at, clock.nowMs(), before?.expires_at ?? null);
  return {
    ...settings,
    companies,
    time_zone: presentZoneName(settings.time_zone),
    expires_at: expiresAt,
  };
}

function endOf(given: string | null, nowMs: number, before: string | null): string | null {
  if (given === null) return null;
  const ms = storableMs(given);
  if (ms === null) throw invalid("expires_at", NO_STORABLE_TIME);
  const end = new Date(ms).toISOString();
  if (end !== before && (ms <= nowMs || ms > nowMs + LONGEST_MS)) {
    throw invalid("expires_at", "must be in the future, at most two years ahead");
  }
  return end;
}

/** Rejects offsets such as +01:00, which some screens' browsers don't know. */
export function isTimeZone(name: string): boolean {
  return /^[A-Za-z]/.test(name) && isZone(name);
}

/** The audit log's actor and details for an action of this person. */
export function actionOf(
  { clock, connections }: Pick<DisplayRuntime, "clock" | "connections">,
  { id, name, email }: Person,
): DisplayAction {
  return {
    person: { id, name, email },
    requestId: randomUUID(),
    nowMs: clock.nowMs(),
    allCompanies: connections.map(({ company }) => company),
  };
}

export function noSuchDisplay(): Failure {
  return new Failure("not_found", NO_DISPLAY);
}
