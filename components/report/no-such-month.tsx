"use client";

import { useLiveCompany } from "@/components/shell/live-company";
import { Empty } from "@/components/ui/empty";
import { Link } from "@/components/ui/link";
import { noMonth } from "./words";
import "@/components/ui/page.css";

/** Where an address names what is no month: another month in its place would be taken for the one that was meant. */
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
