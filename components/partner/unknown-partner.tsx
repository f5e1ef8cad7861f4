"use client";

import { usePathname } from "next/navigation";
import { Empty } from "@/components/ui/empty";
import { useLiveCompany } from "@/components/shell/live-company";
import { Link } from "@/components/ui/link";
import { decodeSegment } from "@/lib/domain/text/decode-segment";
import { partnerNamed } from "@/components/drill-down/find-partner";
import { missingEndpoint, missingPartner, type Missing } from "./missing";
import { allEndpoints } from "@/components/drill-down/words";

/** For an address with an unknown partner or endpoint: suggestions, and the way back. */
export function UnknownPartner() {
  const { slug, name: companyName, view } = useLiveCompany();
  const [, , , partnerSegment = "", endpointSegment] = usePathname().split("/");
  const wanted = decodeSegment(partnerSegment);
  const rows = view?.rows ?? [];
  const partner = wanted === null ? null : partnerNamed(rows, wanted);
  const missing: Missing =
    endpointSegment === undefined || partner === null
      ? missingPartner(rows, wanted, slug, companyName)
      : missingEndpoint(rows, partner, decodeSegment(endpointSegment), slug);
  return (
    <Empty
      heading="h1"
      title={missing.title}
      action={
        <Link href={`/${slug}`} className="button-link">
          {allEndpoints(companyName)}
        </Link>
      }
    >
      {missing.text}
      {missing.near.length === 0 ? null : (
        <>
          {` ${missing.lead} `}
          {missing.near.map(({ label, href }, at) => (
            <span key={href}>
              {at === 0 ? "" : ", "}
              <Link href={href} className="text-ink underline underline-offset-3">
                {label}
              </Link>
            </span>
          ))}
          {missing.end}
        </>
      )}
    </Empty>
  );
}
