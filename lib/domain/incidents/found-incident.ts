import { foldText, includesAll } from "@/lib/domain/text/fold-text";

type Searched = {
  partner_name: string;
  company: { name: string };
  members: readonly { endpoint_key: string }[];
};

/** Whether a search finds an incident, by the names of its partner, company and endpoints. @param needles of `needlesOf` */
export function isFoundIncident(
  { partner_name, company, members }: Searched,
  needles: readonly string[],
): boolean {
  if (needles.length === 0) return true;
  const keys = members.map(({ endpoint_key }) => endpoint_key);
  const words = foldText([partner_name, company.name, ...keys].join(" "));
  return includesAll(words, needles);
}
