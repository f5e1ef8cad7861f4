import { Link } from "@/components/ui/link";
import type { Incident } from "@/lib/contracts/incidents";
import { listWords as words } from "./words";

/** The partner's name, as a link that covers its row. */
export function IncidentName({
  incident: { company, id, partner_name: partner },
  withCompany,
}: {
  incident: Incident;
  withCompany: boolean;
}) {
  return (
    <Link
      href={`/${company.slug}/incidents/${id}`}
      title={withCompany ? `${partner} ${words.at} ${company.name}` : partner}
      className={`after:absolute after:inset-0 ${withCompany ? "name-pair" : ""}`}
    >
      <b className="font-medium" dir="auto">
        {partner}
      </b>
      {withCompany ? (
        <>
          <span className="px-[5px] text-ink-3">{words.at}</span>
          <span dir="auto">{company.name}</span>
        </>
      ) : null}
    </Link>
  );
}
