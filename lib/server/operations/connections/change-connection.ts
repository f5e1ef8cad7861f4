import { ConnectionChange, type Connected } from "@/lib/contracts/connections";
import { Failure } from "@/lib/contracts/failure";
import type { Person } from "@/lib/server/auth/person";
import { requirePrintedPasswordChanged } from "@/lib/server/operations/me/printed-password";
import {
  changeConnection as change,
  readConnection,
  removeConnection as remove,
  type LiveConnectionRow,
} from "@/lib/server/store/connections/connections";
import { setOwner, type ConnectRuntime } from "./connect-company";
import { failedProbe } from "./probe";
import { changeBy, parseRequest, requireOwner } from "./requests";
import { CONFIGURED, NO_CONNECTION } from "./words";

type Given = { slug: string; person: Person };

/**
 * Changes a connection made in a browser, pauses or resumes it: `PATCH /api/connections/[slug]`. Omitted members remain
 * unchanged. New credentials are checked first; the previous ones remain when that fails.
 * @returns 422 with the steps when the check fails, unless they are to be saved anyway
 * @throws Failure `invalid_request`; `not_found`; `conflict` for connections that are configured on the server
 */
export async function changeConnection(
  runtime: ConnectRuntime,
  { slug, person, body }: Given & { body: unknown },
): Promise<Connected | Response> {
  const request = parseRequest(ConnectionChange, body);
  const row = await requireConnection(runtime, slug);
  await requirePrintedPasswordChanged(runtime);
  const owner =
    typeof request.owner === "string"
      ? await requireOwner(runtime, request.owner, slug)
      : request.owner;
  const credentials = newCredentials(row, request);
  if (credentials !== null && request.save_anyway !== true) {
    const failed = await failedProbe(runtime, credentials);
    if (failed !== null) return failed;
  }
  const act = changeBy(runtime, person);
  const changed = await change(
    runtime.database,
    slug,
    {
      ...(credentials !== null && sealed(runtime, credentials)),
      ...(request.name !== undefined && { name: request.name }),
      ...(request.time_zone !== undefined && { timeZone: request.time_zone }),
      ...(request.external_id !== undefined && { externalId: request.external_id }),
      ...(request.paused !== undefined && { isPaused: request.paused }),
    },
    act,
  );
  if (changed === null) throw new Failure("not_found", NO_CONNECTION);
  if (owner !== undefined) {
    await setOwner(runtime, { company: slug, name: changed.name, owner, act });
  }
  await runtime.browserConnections.reread();
  return { slug };
}

/**
 * Removes a connection made in a browser, with its secret: `DELETE /api/connections/[slug]`. The record stays, and the
 * slug taken.
 * @throws Failure `not_found`; `conflict` for connections that are configured on the server
 */
export async function removeConnection(
  runtime: ConnectRuntime,
  { slug, person }: Given,
): Promise<Response> {
  await requireConnection(runtime, slug);
  await requirePrintedPasswordChanged(runtime);
  const isRemoved = await remove(runtime.database, slug, changeBy(runtime, person));
  if (!isRemoved) throw new Failure("not_found", NO_CONNECTION);
  await runtime.browserConnections.reread();
  return new Response(null, { status: 204 });
}

/** Also of one that is set aside, because its slug is configured on the server as well. */
async function requireConnection(
  { database, connections }: ConnectRuntime,
  slug: string,
): Promise<LiveConnectionRow> {
  const row = await readConnection(database, slug);
  if (row !== null) return row;
  const isConfigured = connections.some(
    ({ company, browser }) => company === slug && browser === undefined,
  );
  throw isConfigured
    ? new Failure("conflict", CONFIGURED)
    : new Failure("not_found", NO_CONNECTION);
}

/** Null: unchanged. The stored secret is never combined with another address or client. */
function newCredentials(
  row: LiveConnectionRow,
  { base_url, client_id, client_secret }: ConnectionChange,
) {
  if (client_secret === undefined) return null;
  return {
    baseUrl: base_url ?? row.baseUrl,
    clientId: client_id ?? row.clientId,
    clientSecret: client_secret,
  };
}

function sealed(
  { connectionSeals }: ConnectRuntime,
  { baseUrl, clientId, clientSecret }: NonNullable<ReturnType<typeof newCredentials>>,
) {
  const client = { baseUrl, clientId };
  return { ...client, sealed: connectionSeals(client).close(clientSecret) };
}
