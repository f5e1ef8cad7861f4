"use client";

import { createContext, use, useMemo } from "react";
import { FleetProvider, type WithCompanies } from "@/components/shell/live/fleet-context";
import { useCompanies } from "@/lib/client/queries/companies";
import { useAddress } from "@/lib/client/address/use-address";
import { useNow } from "@/lib/client/use-now";
import type { CompanySummary } from "@/lib/contracts/dashboard";
import { confidenceNow } from "@/lib/domain/confidence";
import { choose, type Choice, type Unseen } from "./choose";
import { companiesParams, type CompaniesState } from "./companies-url";

type CompaniesHere = {
  unseen: Unseen;
  choice: Choice;
  state: CompaniesState;
  setState: ReturnType<typeof useAddress<typeof companiesParams>>[1];
};

const HereContext = createContext<CompaniesHere | null>(null);

/** Reads the companies that the address asks for, once for the top bar and the list. */
export function CompaniesProvider({ first, firstMs, children }: WithCompanies) {
  const [state, setState] = useAddress(companiesParams);
  const { view, receivedMs, silence, isCounted } = useCompanies(first, firstMs, state.partner);
  const { companies } = view;
  const unseen = useUnseen(companies);
  const choice = useMemo(
    () => choose(companies, unseen, state, isCounted),
    [companies, unseen, state, isCounted],
  );
  const here = useMemo(
    () => ({ unseen, choice, state, setState }),
    [unseen, choice, state, setState],
  );
  const fleet = useMemo(() => {
    const shown = choice.named.length === 0 ? companies : choice.named;
    return { view, receivedMs, silence, isCounted, companies: shown };
  }, [view, receivedMs, silence, isCounted, companies, choice]);
  return (
    <FleetProvider value={fleet}>
      <HereContext value={here}>{children}</HereContext>
    </FleetProvider>
  );
}

/** The companies that the address asks for. */
export function useCompaniesHere(): CompaniesHere {
  const here = use(HereContext);
  if (here === null) throw new Error("CompaniesProvider is missing above this component");
  return here;
}

/** Blind companies and those without a snapshot, also judged by this browser's clock. */
function useUnseen(companies: readonly CompanySummary[]): Unseen {
  const slugs = useNow((nowMs) =>
    companies
      .filter(({ source }) => confidenceNow(source, nowMs) === "blind")
      .map(({ slug }) => slug)
      .join(" "),
  );
  return useMemo(() => new Set(slugs === "" ? [] : slugs.split(" ")), [slugs]);
}
