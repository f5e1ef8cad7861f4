import type { ConnectionsView, ConnectionView } from "@/lib/contracts/connections";
import { SCOPES } from "@/lib/contracts/v3";
import { confidence } from "@/lib/domain/confidence";
import { clampedIso, isoOrNull } from "@/lib/domain/time/instant";
import { holds, type Access } from "@/lib/server/auth/access";
import { rhythmOf } from "@/lib/server/collector/rhythm";
import type { LeftCompanies } from "@/lib/server/collector/left-companies";
import type { Snapshots } from "@/lib/server/collector/snapshots";
import type { Clock } from "@/lib/server/clock";
import type { CoreMeter } from "@/lib/server/metrics";
import type { FileState } from "@/lib/server/configuration-file";
import { readOwners } from "@/lib/server/store/connections/owners";
import type { Database } from "@/lib/server/store/database";
import type { Grantee } from "@/lib/server/store/people/grantee";
import {
  clientKey,
  readClients,
  readLastGaps,
  type ClientFacts,
  type SourceGap,
} from "@/lib/server/store/upstream/connection-facts";
import type { BrowserConnections } from "@/lib/server/upstream/browser/browser-connections";
import { budgetShares, companiesPerMinute } from "@/lib/server/upstream/budget";
import { restsBecause, type Connection } from "@/lib/server/upstream/upstream";

/** Dependencies of the connection operations. */
export type ConnectionsRuntime = {
  database: Database;
  clock: Clock;
  config: {
    pollSeconds: number;
    requestsPerMinute: number;
    tokenRequestsPerMinute: number;
    service: "on" | "off" | "demo";
    connections: readonly unknown[];
  };
  readonly connections: readonly Connection[];
  connectionsFile: { state(): FileState } | null;
  browserConnections: Pick<BrowserConnections, "list" | "removed">;
  leftCompanies: Pick<LeftCompanies, "list">;
  snapshots: Pick<Snapshots, "get" | "ageMs">;
  coreMeter: CoreMeter;
  auth: { access: Pick<Access, "find"> };
};

/**
 * Current state of every connection: `GET /api/connections`. Without the database, fields that only
 * it knows are omitted.
 */
export async function listConnections(runtime: ConnectionsRuntime): Promise<ConnectionsView> {
  const { database, connections, config, connectionsFile, leftCompanies, auth } = runtime;
  const { browserConnections } = runtime;
  const [clients, gaps, owners] = await Promise.all([
    readClients(database).catch(() => new Map<string, ClientFacts>()),
    readLastGaps(
      database,
      connections.map(({ company }) => company),
    ).catch(() => new Map<string, SourceGap>()),
    readOwners(database).catch(() => new Map<string, Grantee>()),
  ]);
  const aside = setAside(runtime);
  const queues = queuesOf(runtime);
  const ownerOf = (company: string) => {
    const owner = owners.get(company);
    if (owner === undefined || !holds(auth.access, owner, "handle-incidents", company)) return null;
    return { id: owner.id, name: owner.name };
  };
  const checks = checksByOrigin(runtime);
  return {
    data: connections.map((connection) => {
      const { origin } = new URL(connection.baseUrl);
      const { company } = connection;
      return connectionView(runtime, connection, {
        client: clients.get(clientKey(origin, connection.clientId)) ?? null,
        gap: gaps.get(company) ?? null,
        checkMs: checks.get(origin) ?? config.pollSeconds * 1000,
        more: {
          origin: connection.browser === undefined ? configuredIn(runtime) : "browser",
          set_aside: aside.get(company) ?? null,
          owner: ownerOf(company),
          queue: queues.get(company) ?? null,
        },
      });
    }),
    meta: {
      source: sourceOf(runtime),
      file: connectionsFile === null ? null : fileView(connectionsFile.state()),
      requests_per_minute: config.requestsPerMinute,
      token_requests_per_minute: config.tokenRequestsPerMinute,
      capacity: capacityOf(runtime),
      left: leftCompanies.list().map(({ slug, name, leftAtMs }) => ({
        slug,
        name,
        left_at: leftAtMs === null ? null : clampedIso(leftAtMs),
        can_resume: browserConnections.removed().has(slug),
      })),
    },
  };
}

function capacityOf({
  config,
  coreMeter,
}: ConnectionsRuntime): ConnectionsView["meta"]["capacity"] {
  const use = coreMeter.now();
  return {
    core_use: use === null ? null : { cores: use.cores, over_seconds: use.overSeconds },
    companies_per_minute: companiesPerMinute(config.requestsPerMinute),
  };
}

/** Where connections that weren't made in a browser are configured. */
function configuredIn(runtime: ConnectionsRuntime): ConnectionView["origin"] {
  const source = sourceOf(runtime);
  return source === "none" ? "demo" : source;
}

function sourceOf({
  config,
  connections,
  connectionsFile,
}: ConnectionsRuntime): ConnectionsView["meta"]["source"] {
  if (connectionsFile !== null) return "file";
  if (config.connections.length > 0) return "environment";
  return connections.some(({ browser }) => browser === undefined) ? "demo" : "none";
}

/** Connections made in a browser whose slug is configured as well, by slug. */
function setAside({ connections, browserConnections }: ConnectionsRuntime) {
  const used = new Set(
    connections.filter(({ browser }) => browser !== undefined).map(({ company }) => company),
  );
  return new Map(
    browserConnections
      .list()
      .filter(({ company }) => !used.has(company))
      .map(({ company, name, baseUrl }) => [company, { name, host: new URL(baseUrl).host }]),
  );
}

/** Places of the companies that wait for their first check, by slug; those of one host wait for each other. */
function queuesOf({ connections, snapshots }: ConnectionsRuntime) {
  const waiting = connections.filter(
    (connection) =>
      restsBecause(connection) === null && snapshots.get(connection.company)?.state.asOfMs == null,
  );
  const originOf = ({ baseUrl }: Connection) => new URL(baseUrl).origin;
  return new Map(
    waiting.map((connection) => {
      const there = waiting.filter((other) => originOf(other) === originOf(connection));
      return [connection.company, { place: there.indexOf(connection) + 1, of: there.length }];
    }),
  );
}

function fileView({ readAtMs, refused }: FileState): ConnectionsView["meta"]["file"] {
  return {
    read_at: clampedIso(readAtMs),
    refused:
      refused === null
        ? null
        : { since: clampedIso(refused.sinceMs), problems: [...refused.problems] },
  };
}

/** Normal check interval per origin, milliseconds. */
function checksByOrigin({ connections, snapshots, config }: ConnectionsRuntime) {
  const pages = new Map<string, number[]>();
  for (const { company, baseUrl, ...connection } of connections) {
    if (restsBecause(connection) !== null) continue;
    const { origin } = new URL(baseUrl);
    const count = Math.max(1, snapshots.get(company)?.state.totalPages ?? 1);
    pages.set(origin, [...(pages.get(origin) ?? []), count]);
  }
  const { pollSeconds } = config;
  const pollsPerWindow = budgetShares(config.requestsPerMinute).polls;
  return new Map(
    [...pages].map(([origin, counts]) => [
      origin,
      rhythmOf({ pages: counts, pollSeconds, pollsPerWindow }).checkMs,
    ]),
  );
}

function connectionView(
  { clock, snapshots, config }: ConnectionsRuntime,
  connection: Connection,
  given: {
    client: ClientFacts | null;
    gap: SourceGap | null;
    checkMs: number;
    more: Pick<ConnectionView, "origin" | "set_aside" | "owner" | "queue">;
  },
): ConnectionView {
  const { company, name, baseUrl, clientId, timeZone, externalId, browser } = connection;
  const { client, gap, checkMs, more } = given;
  const nowMs = clock.nowMs();
  const state = snapshots.get(company)?.state ?? null;
  const ageMs = snapshots.ageMs(company);
  const rhythmSeconds = state?.rhythmSeconds ?? config.pollSeconds;
  const rests = restsBecause(connection);
  const granted = client?.scopes?.split(" ") ?? null;
  const limit = state?.rateLimit ?? null;
  const hasFailed = state !== null && state.reason !== null;
  const everyMs = hasFailed ? rhythmSeconds * 1000 : checkMs;
  // Recorded API failures are dated by the API's clock.
  const offsetMs = state?.apiClockOffsetMs ?? 0;
  return {
    slug: company,
    name,
    host: new URL(baseUrl).host,
    base_url: baseUrl,
    client_id: clientId,
    ...more,
    time_zone: timeZone ?? null,
    external_id: externalId ?? null,
    paused_at: isoOrNull(browser?.pausedAtMs ?? null),
    confidence:
      rests === null ? confidence(ageMs === null ? null : -ageMs, 0, rhythmSeconds) : "blind",
    // Of a connection that sends nothing this is known before its next attempt.
    reason: rests ?? (state === null ? "starting" : state.reason),
    last_success_at: state?.asOfMs == null ? null : clampedIso(state.asOfMs),
    next_check_at: state === null || rests !== null ? null : clampedIso(state.nextRefreshMs),
    rhythm_seconds: rhythmSeconds,
    check_seconds: Math.round(checkMs / 1000),
    requests_per_minute: (Math.max(1, state?.totalPages ?? 1) * 60_000) / everyMs,
    scopes: granted === null ? null : SCOPES.filter((scope) => granted.includes(scope)),
    token:
      client?.token == null
        ? null
        : {
            issued_at: clampedIso(nowMs - client.token.ageMs),
            expires_at: clampedIso(nowMs + client.token.endsInMs),
          },
    limited_until:
      state?.reason === "rate_limited" && limit !== null && limit.resetAtMs > nowMs
        ? clampedIso(limit.resetAtMs)
        : null,
    last_gap:
      gap === null
        ? null
        : {
            reason: gap.reason,
            from: clampedIso(gap.fromMs - offsetMs),
            until: clampedIso(gap.untilMs - offsetMs),
          },
  };
}
