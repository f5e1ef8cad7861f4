"use client";

import { Empty } from "@/components/ui/empty";
import { Link } from "@/components/ui/link";
import { useLiveCompany } from "./live-company";
import { pageNotFound } from "./words";

/** For an address of a company that is no page. */
export function UnknownPage() {
  const { slug, name } = useLiveCompany();
  return (
    <Empty
      heading="h1"
      title={pageNotFound.title}
      action={
        <Link href={`/${slug}`} className="button-link">
          {pageNotFound.overview(name)}
        </Link>
      }
    >
      {pageNotFound.sentence}
    </Empty>
  );
}
