import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import type { Scope } from "./plan-dialog";

type Row = Pick<SyncStatusRow, "id" | "partner_name" | "endpoint_key">;

/** Possible scopes on a partner's page: all of it first, then each endpoint. */
export function partnerScopes(partner: string, rows: readonly Row[]): Scope[] {
  return [{ label: partner, partner, endpointId: null }, ...rows.map(endpointScope)];
}

/** Same on an endpoint's page: the endpoint first, then its partner. */
export function endpointScopes(row: Row): Scope[] {
  const { partner_name: partner } = row;
  return [endpointScope(row), { label: partner, partner, endpointId: null }];
}

function endpointScope({ id, partner_name: partner, endpoint_key: key }: Row): Scope {
  return { label: `${partner} / ${key}`, partner, endpointId: id };
}
