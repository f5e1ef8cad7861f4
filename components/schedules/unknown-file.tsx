"use client";

import { usePathname } from "next/navigation";
import { Empty } from "@/components/ui/empty";
import { useLiveCompany } from "@/components/shell/live-company";
import { Link } from "@/components/ui/link";
import { schedulesPath } from "@/lib/domain/file-address";
import { unknownFile } from "./words";

/** An address that names no file that the API has or that we have seen. */
export function UnknownFile() {
  const { slug, name } = useLiveCompany();
  const id = usePathname().split("/")[3] ?? "";
  return (
    <Empty
      heading="h1"
      title={unknownFile.title(id)}
      action={
        <Link href={schedulesPath(slug)} className="underline underline-offset-3">
          {unknownFile.all}
        </Link>
      }
    >
      {unknownFile.sentence(name)}
    </Empty>
  );
}
