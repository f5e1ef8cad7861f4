import type { QueryClient } from "@tanstack/react-query";
import { put, remove } from "@/lib/client/change";
import type { ServerClock } from "@/lib/client/clock";
import { companyPath } from "@/lib/client/company-path";
import { isRecord } from "@/lib/client/snapshot";
import type { AllowanceChange, AllowancesView } from "@/lib/contracts/calls/allowances";
import { encodeSegment } from "@/lib/domain/partner-address";
import { datedQuery, isNothing, resource } from "@/lib/client/queries/resource";

const EVERY_MS = 60_000;

const listPath = (company: string): `/${string}` =>
  `/companies/${encodeURIComponent(company)}/allowances`;
const changesOf = (company: string) => resource(listPath(company).slice(1));
const pathOf = (company: string, partner: string) =>
  companyPath(company, `allowances/${encodeSegment(partner)}`, {});

/** The allowances of a company. */
export const allowancesQuery = (company: string, clock: ServerClock) =>
  datedQuery(listPath(company), clock, isAllowancesView, () => EVERY_MS);

/** Enters or replaces a partner's allowance. @throws ApiError; 404 if the company no longer has the partner */
export async function setAllowance(
  client: QueryClient,
  company: string,
  partner: string,
  allowance: AllowanceChange,
): Promise<void> {
  await changesOf(company).changed(client, put(pathOf(company, partner), allowance, isRecord));
}

/** Removes a partner's allowance. @throws ApiError */
export async function removeAllowance(
  client: QueryClient,
  company: string,
  partner: string,
): Promise<void> {
  await changesOf(company).changed(client, remove(pathOf(company, partner), isNothing));
}

function isAllowancesView(body: unknown): body is AllowancesView {
  return isRecord(body) && Array.isArray(body["data"]);
}
