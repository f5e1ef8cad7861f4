"use client";

import { createContext, use, useMemo, type ReactNode } from "react";
import { useCompanies, type Companies } from "@/lib/client/queries/companies";
import type { CompaniesView, CompanySummary } from "@/lib/contracts/dashboard";

/** The companies that a page is about, read once for all of it. */
export type Fleet = Companies & {
  /** Those of the page; `view` has all. */
  companies: readonly CompanySummary[];
};

const FleetContext = createContext<Fleet | null>(null);

export const FleetProvider = FleetContext;

/** The companies of the page. */
export function useFleet(): Fleet {
  const fleet = use(FleetContext);
  if (fleet === null) throw new Error("FleetProvider is missing above this component");
  return fleet;
}

/** Server data of a page about companies, at `firstMs` on its clock, and the page. */
export type WithCompanies = { first: CompaniesView; firstMs: number; children: ReactNode };

/** Reads the companies for a page about all of them. */
export function AllCompanies({ first, firstMs, children }: WithCompanies) {
  const { view, receivedMs, silence, isCounted } = useCompanies(first, firstMs);
  const fleet = useMemo(
    () => ({ view, receivedMs, silence, isCounted, companies: view.companies }),
    [view, receivedMs, silence, isCounted],
  );
  return <FleetContext value={fleet}>{children}</FleetContext>;
}
