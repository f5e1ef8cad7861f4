import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import type { Scope } from "./plan-dialog";

type Row = Pick<SyncStatusRow, "id" | "partner_name" | "endpoint_key">;

/** Of what a quiet time can be planned on a partner's page: of all of it first, or of one of its endpoints. */
export function partnerScopes(partner: string, rows: readonly Row[]): Scope[] {
  return [{ label: partner, partner, endpointId: null }, ...rows.map(endpointScope)];
}

/** The same on an endpoint's page: of the endpoint first, or of its partner. */
export function endpointScopes(row: Row): Scope[] {
  const { partner_name: partner } = row;
  return [endpointScope(row), { label: partner, partner, endpointId: null }];
}

function endpointScope({ id, partner_name: partner, endpoint_key: key }: Row): Scope {
  return { label: `${partner} / ${key}`, partner, endpointId: id };
}
