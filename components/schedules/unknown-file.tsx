"use client";

import { usePathname } from "next/navigation";
import { Empty } from "@/components/ui/empty";
import { useLiveCompany } from "@/components/shell/live-company";
import { Link } from "@/components/ui/link";
import { filesPath } from "@/lib/domain/file-address";
import { unknownFile } from "./words";

/** For an address of a file that neither the API nor our record has. */
export function UnknownFile() {
  const { slug, name } = useLiveCompany();
  const id = usePathname().split("/")[3] ?? "";
  return (
    <Empty
      heading="h1"
      title={unknownFile.title(id)}
      action={
        <Link href={filesPath(slug)} className="button-link">
          {unknownFile.all}
        </Link>
      }
    >
      {unknownFile.sentence(name)}
    </Empty>
  );
}
