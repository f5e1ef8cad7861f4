import { ConnectRequest } from "@/lib/contracts/connections";
import { Failure } from "@/lib/contracts/failure";
import { forgetOngoing } from "@/lib/server/cache/held-ongoing";
import type { Access } from "@/lib/server/auth/access";
import type { BrowserConnections } from "@/lib/server/upstream/browser/browser-connections";
import type { ConnectionSeals } from "@/lib/server/upstream/browser/connection-seals";
import type { DatabaseTime } from "@/lib/server/store/database-time";
import type { Person } from "@/lib/server/auth/person";
import { requirePrintedPasswordChanged } from "@/lib/server/operations/me/printed-password";
import {
  connectableSlug,
  countConnections,
  insertConnection,
} from "@/lib/server/store/connections/connections";
import { changeCare } from "@/lib/server/store/incidents/incident-acts";
import { failedProbe, type ProbeRuntime } from "./probe";
import { changeBy, parseRequest, requireOwner } from "./requests";
import { SLUG_TAKEN, TOO_MANY_CONNECTIONS } from "./words";

export type ConnectRuntime = ProbeRuntime & {
  connectionSeals: ConnectionSeals;
  browserConnections: Pick<BrowserConnections, "reread">;
  auth: { time: Pick<DatabaseTime, "now">; access: Pick<Access, "find"> };
};

/** Connections made in a browser, with those that were removed: all of them are in memory. */
export const MAX_CONNECTIONS = 2_000;

/**
 * Checks an API and connects a company to it: `POST /api/connections`. A removed connection of the same host and client
 * is resumed, under its own slug.
 * @returns 201 with the slug; 422 with the steps when the check fails, unless it is to be saved anyway
 * @throws Failure `invalid_request`; `conflict` when the slug is taken, there are too many, or before the printed
 *   password was changed
 */
export async function connectCompany(
  runtime: ConnectRuntime,
  { person, body }: { person: Person; body: unknown },
): Promise<Response> {
  const request = parseRequest(ConnectRequest, body);
  await requirePrintedPasswordChanged(runtime);
  await requireRoom(runtime, 1);
  const { base_url: baseUrl, client_id: clientId, client_secret: clientSecret } = request;
  const slug = await freeSlug(runtime, { company: request.slug, baseUrl, clientId });
  if (slug === null) throw new Failure("conflict", SLUG_TAKEN);
  const owner =
    request.owner === null || request.owner === undefined
      ? null
      : await requireOwner(runtime, request.owner, slug);
  if (request.save_anyway !== true) {
    const failed = await failedProbe(runtime, { baseUrl, clientId, clientSecret });
    if (failed !== null) return failed;
  }
  const saved = await saveConnection(runtime, { person, request, owner });
  if (saved === null) throw new Failure("conflict", SLUG_TAKEN);
  await runtime.browserConnections.reread();
  return Response.json({ slug: saved }, { status: 201 });
}

/** @throws Failure `conflict` unless so many more can be connected */
export async function requireRoom(
  { database }: Pick<ConnectRuntime, "database">,
  more: number,
): Promise<void> {
  if ((await countConnections(database)) + more > MAX_CONNECTIONS)
    throw new Failure("conflict", TOO_MANY_CONNECTIONS);
}

/** See `connectableSlug`; slugs configured on the server are taken as well. */
export async function freeSlug(
  { database, connections }: Pick<ConnectRuntime, "database" | "connections">,
  wanted: Parameters<typeof connectableSlug>[1],
): Promise<string | null> {
  const slug = await connectableSlug(database.orm, wanted);
  const isConfigured = connections.some(
    ({ company, browser }) => company === slug && browser === undefined,
  );
  return isConfigured ? null : slug;
}

/** Saves a connection without checking it. @returns its slug; null: it is taken */
export async function saveConnection(
  runtime: Pick<ConnectRuntime, "clock" | "database" | "connectionSeals">,
  given: {
    person: Person;
    request: Omit<ConnectRequest, "save_anyway">;
    owner: { id: string; name: string } | null;
  },
): Promise<string | null> {
  const { database, connectionSeals } = runtime;
  const { person, request, owner } = given;
  const client = { baseUrl: request.base_url, clientId: request.client_id };
  const change = changeBy(runtime, person);
  const slug = await insertConnection(
    database,
    {
      ...client,
      company: request.slug,
      name: request.name,
      sealed: connectionSeals(client).close(request.client_secret),
      timeZone: request.time_zone ?? null,
      externalId: request.external_id ?? null,
    },
    change,
  );
  if (slug !== null && owner !== null) {
    await setOwner(runtime, { company: slug, name: request.name, owner, act: change });
  }
  return slug;
}

/** Sets or removes the owner of a company. */
export async function setOwner(
  runtime: Pick<ConnectRuntime, "database">,
  given: {
    company: string;
    name: string;
    owner: { id: string; name: string } | null;
    act: Parameters<typeof changeCare>[1]["act"];
  },
): Promise<void> {
  const { owner, ...of } = given;
  const because = owner?.name ?? "the administrators";
  await changeCare(runtime.database, of, { ownerId: owner?.id ?? null }, because, () => {});
  forgetOngoing(runtime, of.company);
}
