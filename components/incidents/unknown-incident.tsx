"use client";

import { useLiveCompany } from "@/components/shell/live-company";
import { Empty } from "@/components/ui/empty";
import { Link } from "@/components/ui/link";
import { noIncident } from "./words";

/** For an address without an incident. */
export function UnknownIncident() {
  const { slug } = useLiveCompany();
  return (
    <Empty
      heading="h1"
      title={noIncident.title}
      action={
        <Link href={`/${slug}/incidents`} className="button-link">
          {noIncident.all}
        </Link>
      }
    >
      {noIncident.sentence}
    </Empty>
  );
}
