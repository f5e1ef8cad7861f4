"use client";

import { SharePage, subjectOf } from "@/components/drill-down/share/share-page";
import { filesDate } from "@/components/shell/chat-statement";
import { useLiveCompany } from "@/components/shell/live-company";
import type { FileIndex } from "@/lib/contracts/schedule-files";
import { FILES } from "./words";

/** *Share* on a list of files or projects, with the date of our list of files. */
export function ShareFiles({
  filters,
  index,
  says,
}: {
  filters: readonly string[];
  index: FileIndex;
  says: string;
}) {
  const { name } = useLiveCompany();
  return (
    <SharePage
      subject={subjectOf(FILES, name, filters)}
      say={() => says}
      date={(said) => filesDate(index, said)}
    />
  );
}
