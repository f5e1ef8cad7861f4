"use client";

import { useLiveCompany } from "@/components/shell/live-company";
import { Empty } from "@/components/ui/empty";
import { Link } from "@/components/ui/link";
import { noMonth } from "./words";

/** For an address with an invalid month: showing another month could be misleading. */
export function NoSuchMonth() {
  const { slug } = useLiveCompany();
  return (
    <Empty
      heading="h1"
      title={noMonth.title}
      action={
        <Link href={`/${slug}/report`} className="button-link">
          {noMonth.latest}
        </Link>
      }
    >
      {noMonth.sentence}
    </Empty>
  );
}
