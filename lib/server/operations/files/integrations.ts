import { Failure } from "@/lib/contracts/failure";
import {
  IntegrationRequest,
  type Integration,
  type IntegrationsView,
} from "@/lib/contracts/files/integrations";
import type { Person } from "@/lib/server/auth/person";
import { notValid } from "@/lib/server/http/query";
import {
  isIntegration,
  nameIntegration,
  readIntegrations,
  type IntegrationRow,
} from "@/lib/server/store/files/integration-names";
import type { FilesRuntime } from "./live-files";

type NamesRuntime = Pick<FilesRuntime, "database" | "clock">;
/** `id`: the `partner_token_id` in the address. */
type Given = { company: string; person: Person; id: string };

/** A company's integrations, by number: `GET .../integrations`. */
export async function listIntegrations(
  { database }: Pick<NamesRuntime, "database">,
  { company }: { company: string },
): Promise<IntegrationsView> {
  return { data: (await readIntegrations(database.orm, company)).map(integrationView) };
}

/**
 * Names an integration: `PUT .../integrations/[partner_token_id]`.
 * @throws Failure `invalid_request`; `not_found` if no known file belongs to it
 */
export async function putIntegrationName(
  runtime: NamesRuntime,
  given: Given & { body: unknown },
): Promise<Integration> {
  const of = await integrationOf(runtime, given);
  const parsed = IntegrationRequest.safeParse(given.body);
  if (!parsed.success) throw notValid(parsed.error);
  await nameIntegration(runtime.database, of, parsed.data.name, changeOf(runtime, given));
  const all = await readIntegrations(runtime.database.orm, given.company);
  const named = all.find(({ partnerTokenId }) => partnerTokenId === of.partnerTokenId);
  if (named === undefined) throw noIntegration();
  return integrationView(named);
}

/**
 * Removes a name, if there is one: `DELETE .../integrations/[partner_token_id]`.
 * @throws Failure `not_found` as above
 */
export async function removeIntegrationName(
  runtime: NamesRuntime,
  given: Given,
): Promise<Response> {
  const of = await integrationOf(runtime, given);
  await nameIntegration(runtime.database, of, null, changeOf(runtime, given));
  return new Response(null, { status: 204 });
}

async function integrationOf({ database }: NamesRuntime, { company, id }: Given) {
  const partnerTokenId = /^(0|-?[1-9]\d{0,15})$/.test(id) ? Number(id) : Number.NaN;
  const of = { company, partnerTokenId };
  if (!Number.isSafeInteger(partnerTokenId) || !(await isIntegration(database.orm, of)))
    throw noIntegration();
  return of;
}

function noIntegration(): Failure {
  return new Failure("not_found", "No such integration.");
}

function changeOf({ clock }: NamesRuntime, { person: { id, name, email } }: Given) {
  return { person: { id, name, email }, nowMs: clock.nowMs() };
}

function integrationView({ partnerTokenId, name, files, by, at }: IntegrationRow): Integration {
  return {
    partner_token_id: partnerTokenId,
    name,
    files,
    by,
    at: at?.toISOString() ?? null,
  };
}
