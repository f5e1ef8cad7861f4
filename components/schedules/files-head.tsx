"use client";

import type { ReactNode } from "react";
import { PageHead } from "@/components/ui/page-head";
import type { FileFacets, FileIndex } from "@/lib/contracts/schedule-files";
import { filesHeading, indexProgress } from "@/lib/domain/words/file-words";
import { IndexTrouble, listState } from "./index-trouble";
import { CSV, FILES, filesHead } from "./words";

/** The number of files, and the extent of our index. */
export function FilesHead({
  index,
  facets,
  csvPath = null,
  share,
}: {
  /** Null before the first response. */
  index: FileIndex | null;
  facets: FileFacets | undefined;
  /** Address of the list as CSV; null: there is none yet. */
  csvPath?: string | null;
  share?: ReactNode;
}) {
  const list = index === null ? null : listState(index);
  const progress = list === null ? filesHead.loading : indexProgress(list);
  return (
    <PageHead
      title={list === null ? FILES : filesHeading(list)}
      actions={
        <>
          {csvPath === null ? null : (
            <a className="button-link max-sm:hidden" href={csvPath} download="">
              {CSV}
            </a>
          )}
          {share}
        </>
      }
      below={
        <>
          <p className="min-h-[18px] text-ink-2">
            {facets === undefined || index === null ? "" : summary(facets, index.complete)}
          </p>
          {progress === "" ? null : (
            <p className="mt-1 text-ink-2">
              {progress}
              {index === null || index.known === 0 ? "" : filesHead.coverage}
            </p>
          )}
          {index === null ? null : <IndexTrouble index={index} />}
        </>
      }
    />
  );
}

function summary({ baselines, projects, integrations }: FileFacets, isComplete: boolean): string {
  const amounts = {
    baselines,
    projects: projects.filter(({ project }) => project !== null).length,
    integrations: integrations.filter(({ partner_token_id: id }) => id !== null).length,
  };
  return filesHead.summary(amounts, isComplete);
}
