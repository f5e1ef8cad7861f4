"use client";

import { useSearchParams } from "next/navigation";
import { useCallback } from "react";
import { useAddress } from "@/lib/client/address/use-address";
import type { ScheduleFilesView } from "@/lib/contracts/schedule-files";
import type { ScheduleProjectsView } from "@/lib/contracts/schedule-projects";
import { filesParams, projectsParams, viewOf } from "./files-url";
import { FilesView } from "./files-view";
import { ProjectsView } from "./projects-view";

const allParams = { ...filesParams, ...projectsParams };

/**
 * A company's schedule files, by project or as a list.
 * @param firstFiles server data for its `query`; null: not of this view, or not available yet. `firstProjects` likewise
 * @param mayDelete the person's permission; the connection's is in the responses
 * @param mayName whether the person may name integrations
 */
export function SchedulesView({
  firstFiles,
  firstProjects,
  mayDelete,
  mayName,
}: {
  firstFiles: { query: string; view: ScheduleFilesView } | null;
  firstProjects: { query: string; view: ScheduleProjectsView } | null;
  mayDelete: boolean;
  mayName: boolean;
}) {
  const [state, setState] = useAddress(allParams, "push");
  // The address is read as a whole only while it doesn't name a view.
  const search = useSearchParams();
  const view = state.view ?? viewOf(search.toString());
  const change = useCallback(
    (next: "projects" | "files") => {
      const nothing = Object.fromEntries(Object.keys(allParams).map((name) => [name, null]));
      setState({ ...nothing, view: next });
    },
    [setState],
  );
  return view === "files" ? (
    <FilesView first={firstFiles} mayDelete={mayDelete} onView={change} />
  ) : (
    <ProjectsView first={firstProjects} mayName={mayName} onView={change} />
  );
}
