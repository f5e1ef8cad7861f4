"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { Empty } from "@/components/grid/empty";
import { useLiveCompany } from "@/components/shell/live-company";
import { nearNames } from "@/lib/domain/near-names";
import { decodeSegment, endpointPath, partnerPath } from "@/lib/domain/partner-address";

const MOST = 6;

/** An address that names no partner or endpoint that we know of: what is near, and the way back. */
export function UnknownPartner() {
  const { slug, name: companyName, view } = useLiveCompany();
  const [, , , partnerSegment = "", endpointSegment] = usePathname().split("/");
  const wanted = decodeSegment(partnerSegment);
  const rows = view?.rows ?? [];
  const ofPartner = rows.filter((row) => row.partner_name === wanted);
  const isEndpoint = endpointSegment !== undefined && ofPartner.length > 0;
  const near = isEndpoint
    ? ofPartner.slice(0, MOST).map((row) => ({
        label: row.endpoint_key,
        href: endpointPath(slug, row.partner_name, row.id),
      }))
    : nearNames(
        wanted ?? "",
        rows.map((row) => row.partner_name),
        MOST,
      ).map((label) => ({ label, href: partnerPath(slug, label) }));
  return (
    <Empty
      heading="h1"
      title={isEndpoint ? `${wanted} has no such endpoint` : unknownTitle(wanted)}
      action={
        <Link href={`/${slug}`} className="underline underline-offset-3">
          All {companyName} endpoints
        </Link>
      }
    >
      {isEndpoint
        ? "It may have been removed, or the link may be incomplete."
        : `We can’t find it in ${companyName}. It may have been renamed or removed, or the link may be incomplete.`}
      {near.length === 0 ? null : (
        <>
          {" "}
          {isEndpoint ? "Available endpoints: " : "Did you mean: "}
          {near.map(({ label, href }, at) => (
            <span key={href}>
              {at === 0 ? "" : ", "}
              <Link href={href} className="text-ink underline underline-offset-3">
                {label}
              </Link>
            </span>
          ))}
          {isEndpoint ? "." : "?"}
        </>
      )}
    </Empty>
  );
}

function unknownTitle(wanted: string | null): string {
  return wanted === null ? "No such partner" : `No partner “${wanted}”`;
}
