"use client";

import { useCompanies } from "@/lib/client/queries/companies";
import type { CompaniesView } from "@/lib/contracts/dashboard";
import { FleetBar } from "./fleet-bar";

/**
 * The bar of all companies above a page about them: the page lists only what is seen.
 * @param first server data of the page, at `firstMs` on its clock
 */
export function FleetHead({ first, firstMs }: { first: CompaniesView; firstMs: number }) {
  const read = useCompanies(first, firstMs);
  return read.view.companies.length === 0 ? null : <FleetBar {...read} />;
}
