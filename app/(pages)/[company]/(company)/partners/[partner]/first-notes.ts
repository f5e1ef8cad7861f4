import { sentIncidents } from "@/components/marks/open-incident";
import type { PartnerNotes } from "@/components/drill-down/partner-notes";
import { openIncidentsPath } from "@/lib/client/incidents-path";
import type { requireCompany } from "@/lib/server/pages/current-person";
import { firstIncidents } from "@/lib/server/pages/first-incidents";
import { firstQuiet } from "@/lib/server/pages/first-quiet";

/** The notes below the headline of a partner or one of its endpoints, as of now. */
export async function firstNotes(
  { person, company }: Awaited<ReturnType<typeof requireCompany>>,
  partner: string,
): Promise<PartnerNotes> {
  const [[open], quiet] = await Promise.all([
    firstIncidents(person, company.slug, [openIncidentsPath(company.slug)]),
    firstQuiet(person, company.slug, partner),
  ]);
  const incidents = open?.view?.data.filter(({ partner_name: of }) => of === partner);
  return { incidents: incidents === undefined ? null : sentIncidents(incidents), quiet };
}
