import type { FileFacets } from "@/lib/contracts/schedule-files";
import { compareText } from "@/lib/domain/text/compare-text";
import { readIntegrationNames } from "@/lib/server/store/files/integration-names";
import { openFileIndex } from "./file-index-view";
import type { FilesRuntime } from "./live-files";
import { integrationCountsOf, projectsOf, sum, type Project } from "./projects-of-files";

type FacetProject = FileFacets["projects"][number]["project"];

/** Filter values of a company's schedule files: `GET .../schedule-files/facets`. */
export async function getFileFacets(
  runtime: FilesRuntime,
  { company }: { company: string },
): Promise<FileFacets> {
  const { version } = await openFileIndex(runtime, company);
  const [projects, counts, names] = await Promise.all([
    projectsOf(runtime, company, version),
    integrationCountsOf(runtime, company, version),
    readIntegrationNames(runtime.database.orm, company),
  ]);
  const notLinked = sum(projects.map((project) => project.notLinked));
  return {
    total: sum(projects.map(({ files }) => files)),
    baselines: sum(projects.map(({ baselines }) => baselines)),
    types: typesOf(projects),
    projects: projects
      .map(({ project, name, files, baselines, latest }) => ({
        project: project === null ? null : { ...project, name },
        count: files,
        baselines,
        latest_id: latest.id,
      }))
      .toSorted((a, b) => byNameThenNone(a.project, b.project)),
    integrations: [
      ...counts.map(({ partnerTokenId: id, files: count }) => ({
        partner_token_id: id,
        name: names.get(id) ?? null,
        count,
      })),
      ...(notLinked > 0 ? [{ partner_token_id: null, name: null, count: notLinked }] : []),
    ],
  };
}

function typesOf(projects: readonly Project[]): FileFacets["types"] {
  const counts = new Map<string, number>();
  for (const { types } of projects)
    for (const [type, files] of types) counts.set(type, (counts.get(type) ?? 0) + files);
  return [...counts]
    .map(([type, count]) => ({ type, count }))
    .toSorted((a, b) => b.count - a.count || compareText(a.type, b.type));
}

function byNameThenNone(a: FacetProject, b: FacetProject): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return (
    compareText(a.name.toLowerCase(), b.name.toLowerCase()) ||
    compareText(a.name, b.name) ||
    a.id - b.id ||
    compareText(a.source ?? "", b.source ?? "")
  );
}
