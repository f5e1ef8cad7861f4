"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { Empty } from "@/components/grid/empty";
import { useLiveCompany } from "@/components/shell/live-company";
import { schedulesPath } from "./files-url";

/** An address that names no file that the API has or that we have seen. */
export function UnknownFile() {
  const { slug, name } = useLiveCompany();
  const id = usePathname().split("/")[3] ?? "";
  return (
    <Empty
      heading="h1"
      title={/^\d+$/.test(id) ? `No schedule file ${id}` : "This address names no schedule file"}
      action={
        <Link href={schedulesPath(slug)} className="underline underline-offset-3">
          All schedule files of {name}
        </Link>
      }
    >
      {name} has no file of that id that we can see. It may have been deleted, or the address may
      have been cut short.
    </Empty>
  );
}
