import {
  AllowanceChange,
  type Allowance,
  type AllowancesView,
} from "@/lib/contracts/calls/allowances";
import { Failure } from "@/lib/contracts/failure";
import type { Person } from "@/lib/server/auth/person";
import type { Clock } from "@/lib/server/clock";
import { notValid } from "@/lib/server/http/query";
import { nameFromParam } from "@/lib/server/operations/history/record-names";
import { actOf } from "@/lib/server/operations/incidents/act-on-incident";
import { syncStatusView } from "@/lib/server/operations/sync/get-sync-status";
import {
  readAllowances,
  removeAllowance,
  setAllowance,
  type AllowanceRow,
} from "@/lib/server/store/allowances/allowances";
import type { Database } from "@/lib/server/store/database";
import { NO_PARTNER, TOO_MANY } from "./words";

/** More than a company has partners; it bounds the list. */
const MAX_ALLOWANCES = 1000;

type Runtime = Parameters<typeof syncStatusView>[0] & { database: Database; clock: Clock };
type Given = {
  company: string;
  person: Person;
  /** The partner's segment of the address. */
  partner: string | undefined;
};

/** The allowances of a company, also of partners that it no longer has: `GET .../allowances`. */
export async function listAllowances(
  { database }: Pick<Runtime, "database">,
  { company }: { company: string },
): Promise<AllowancesView> {
  return { data: (await readAllowances(database, company)).map(allowanceView) };
}

/**
 * Enters or replaces a partner's allowance: `PUT .../allowances/[partner]`. Repeating it changes nothing.
 * @throws Failure `invalid_request`; `not_found` for a partner that the company doesn't have; `conflict` when there are
 *   too many
 */
export async function putAllowance(
  runtime: Runtime,
  { company, person, partner, body }: Given & { body: unknown },
): Promise<Allowance> {
  const partnerName = nameFromParam(partner);
  requirePartner(runtime, company, partnerName);
  const parsed = AllowanceChange.safeParse(body);
  if (!parsed.success) throw notValid(parsed.error);
  const row = await setAllowance(runtime.database, { company, partnerName }, parsed.data, {
    change: actOf(runtime, person),
    most: MAX_ALLOWANCES,
  });
  if (row === null) throw new Failure("conflict", TOO_MANY);
  return allowanceView(row);
}

/**
 * Removes a partner's allowance: `DELETE .../allowances/[partner]`. Without one it changes nothing.
 * @throws Failure `not_found` for a partner that the company doesn't have, unless it still has an allowance
 */
export async function deleteAllowance(
  runtime: Runtime,
  { company, person, partner }: Given,
): Promise<Response> {
  const partnerName = nameFromParam(partner);
  const isRemoved = await removeAllowance(
    runtime.database,
    { company, partnerName },
    actOf(runtime, person),
  );
  if (!isRemoved) requirePartner(runtime, company, partnerName);
  return new Response(null, { status: 204 });
}

function requirePartner(runtime: Runtime, company: string, partnerName: string): void {
  const { rows } = syncStatusView(runtime, company);
  if (!rows.some(({ partner_name: name }) => name === partnerName))
    throw new Failure("not_found", NO_PARTNER);
}

function allowanceView(row: AllowanceRow): Allowance {
  const { partnerName, calls, per, note, byId, byName, at } = row;
  return {
    partner_name: partnerName,
    calls,
    per,
    note,
    by: { id: byId, name: byName },
    at: at.toISOString(),
  };
}
