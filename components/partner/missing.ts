import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import { nearNames } from "@/lib/domain/text/near-names";
import { endpointPath, partnerPath } from "@/lib/domain/partner-address";
import { noEndpoint, noPartner, severalEndpoints } from "./missing-words";

/** Message for an unknown address; `near` may be empty, and `lead` introduces it. */
export type Missing = {
  title: string;
  text: string;
  lead: string;
  /** End of the sentence of `lead` and `near`. */
  end: string;
  near: readonly { label: string; href: string }[];
};

const MAX_NAMED = 6;

/** @param wanted null: the address names no partner at all */
export function missingPartner(
  rows: readonly SyncStatusRow[],
  wanted: string | null,
  company: string,
  companyName: string,
): Missing {
  const names = rows.map((row) => row.partner_name);
  return {
    ...noPartner(wanted, companyName),
    near: nearNames(wanted ?? "", names, MAX_NAMED).map((label) => ({
      label,
      href: partnerPath(company, label),
    })),
  };
}

/**
 * @param partner exact name
 * @param wanted an id or a key; null: the address names no endpoint at all
 */
export function missingEndpoint(
  rows: readonly SyncStatusRow[],
  partner: string,
  wanted: string | null,
  company: string,
): Missing {
  const own = rows.filter((row) => row.partner_name === partner);
  const sameKey = own.filter((row) => row.endpoint_key.toLowerCase() === wanted?.toLowerCase());
  const link = (row: SyncStatusRow, label: string) => ({
    label,
    href: endpointPath(company, partner, row.id),
  });
  if (wanted !== null && sameKey.length > 1)
    return {
      ...severalEndpoints(partner, wanted, sameKey.length),
      near: sameKey.slice(0, MAX_NAMED).map((row) => link(row, row.id)),
    };
  const keys = own.map((row) => row.endpoint_key);
  const nearest = nearNames(wanted ?? "", keys, MAX_NAMED);
  const rank = (row: SyncStatusRow) => {
    const at = nearest.indexOf(row.endpoint_key);
    return at === -1 ? MAX_NAMED : at;
  };
  return {
    ...noEndpoint(partner),
    near: own
      .toSorted((a, b) => rank(a) - rank(b))
      .slice(0, MAX_NAMED)
      .map((row) => link(row, row.endpoint_key)),
  };
}
