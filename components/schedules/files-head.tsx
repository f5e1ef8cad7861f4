"use client";

import type { FileFacets, FileIndex } from "@/lib/contracts/schedule-files";
import { filesHeading, indexProgress } from "@/lib/domain/words/file-words";
import { counted } from "@/lib/domain/words/format";
import { IndexTrouble, listState } from "./index-trouble";

/** How many files there are, and how far our own list of them goes. */
export function FilesHead({
  index,
  facets,
}: {
  /** Null before the first answer. */
  index: FileIndex | null;
  facets: FileFacets | undefined;
}) {
  const list = index === null ? null : listState(index);
  const progress = list === null ? "Loading the first page…" : indexProgress(list);
  return (
    <header className="pt-4 pb-5">
      <h1 className="page-title">{list === null ? "Schedule files" : filesHeading(list)}</h1>
      <p className="min-h-[18px] text-ink-2">
        {facets === undefined || index === null ? "" : summary(facets, index.complete)}
      </p>
      {progress === "" ? null : (
        <p className="mt-1 text-ink-2">
          {progress}
          {index === null || index.known === 0
            ? ""
            : ". Search, filters and counts cover indexed files only."}
        </p>
      )}
      {index === null ? null : <IndexTrouble index={index} />}
    </header>
  );
}

function summary({ baselines, projects, integrations }: FileFacets, isComplete: boolean): string {
  const parts = [
    counted(baselines, "baseline"),
    counted(projects.filter(({ project }) => project !== null).length, "project"),
    counted(integrations.filter(({ partner_token_id: id }) => id !== null).length, "integration"),
  ];
  return `${parts.join(", ")}${isComplete ? "" : " so far"}`;
}
