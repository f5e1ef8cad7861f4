import {
  PROJECT_FILTERS,
  type ProjectFilter,
  type ScheduleProject,
  type ScheduleProjectsView,
} from "@/lib/contracts/schedule-projects";
import type { ReadScheduleFile } from "@/lib/contracts/v3";
import { projectState, type ProjectState } from "@/lib/domain/schedules/rhythm";
import { compareText } from "@/lib/domain/text/compare-text";
import { foldText, needlesOf } from "@/lib/domain/text/fold-text";
import { instantMs, iso, isoOrNull } from "@/lib/domain/time/instant";
import { DAY_MS } from "@/lib/domain/time/units";
import { pageMeta, readPageRequest, offsetAndLimit } from "@/lib/server/http/paging";
import { choice, search } from "@/lib/server/http/query";
import { readIntegrationNames } from "@/lib/server/store/files/integration-names";
import { readGivenFiles } from "@/lib/server/store/files/schedule-projects";
import { fileScopes, openFileIndex } from "./file-index-view";
import type { FilesRuntime } from "./live-files";
import { namedIntegrations } from "./named-integrations";
import { projectsOf, sum, type Project } from "./projects-of-files";

type JudgedProject = Project & { state: ProjectState };

/**
 * A company's projects with the rhythm of their uploads: `GET .../schedule-projects?page&per_page&q&show`. From known
 * files only; `index` says whether these are all.
 * @throws Failure `invalid_request`
 */
export async function listScheduleProjects(
  runtime: FilesRuntime,
  { company, query }: { company: string; query: URLSearchParams },
): Promise<ScheduleProjectsView> {
  const { database, clock } = runtime;
  const { orm } = database;
  const place = readPageRequest(query);
  const words = needlesOf(search(query, "q") ?? "");
  const show = choice(query, "show", PROJECT_FILTERS);
  const [{ view: index, version }, scopes, names] = await Promise.all([
    openFileIndex(runtime, company),
    fileScopes(runtime, company),
    readIntegrationNames(orm, company),
  ]);
  const projects = await projectsOf(runtime, company, version);
  const nowMs = clock.nowMs();
  const at = { nowMs, seenMs: instantMs(index.as_of) };
  const judged = projects
    .map((project): JudgedProject => ({ ...project, state: projectState(project.rhythm, at) }))
    .toSorted(byUrgency);
  const found = judged.filter((project) => isShown(project, show) && isFound(project, words));
  const { offset, limit } = offsetAndLimit(place);
  const page = found.slice(offset, offset + limit);
  const given = await readGivenFiles(
    orm,
    company,
    page.flatMap(({ latest, latestBaseline }) => [latest.id, latestBaseline?.id ?? []].flat()),
  );
  return {
    // A file deleted from the mirror since is in the next response.
    data: page.flatMap((project) => rowOf(project, given, names) ?? []),
    meta: pageMeta(place, found.length),
    index,
    scopes,
    counts: countsOf(judged),
    furthest_behind: furthestOf(judged),
  };
}

const URGENCY: readonly ProjectState[] = ["behind", "due", null, "current"];

/** Files without a project come last. */
function byUrgency(a: JudgedProject, b: JudgedProject): number {
  return (
    Number(a.project === null) - Number(b.project === null) ||
    URGENCY.indexOf(a.state) - URGENCY.indexOf(b.state) ||
    (a.rhythm?.expectedMs ?? Infinity) - (b.rhythm?.expectedMs ?? Infinity) ||
    compareText(foldText(a.name), foldText(b.name)) ||
    (a.project?.id ?? 0) - (b.project?.id ?? 0) ||
    compareText(a.project?.source ?? "", b.project?.source ?? "")
  );
}

function isShown(
  { project, state, baselines }: JudgedProject,
  show: ProjectFilter | null,
): boolean {
  if (show === null) return true;
  if (project === null) return false;
  if (show === "no-baseline") return baselines === 0;
  return state === (show === "unknown" ? null : show);
}

function isFound({ project, name }: Project, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const folded = foldText(name);
  return project !== null && words.every((word) => folded.includes(word));
}

/** @returns null: its latest file has been deleted since */
function rowOf(
  project: JudgedProject,
  given: ReadonlyMap<number, ReadScheduleFile>,
  names: ReadonlyMap<number, string>,
): ScheduleProject | null {
  const latest = given.get(project.latest.id);
  if (latest === undefined) return null;
  const { id, name, created_at, file_type } = latest;
  const { rhythm, latestBaseline } = project;
  const baseline = latestBaseline === null ? undefined : given.get(latestBaseline.id);
  return {
    project: latest.customer_project,
    files: project.files,
    latest: { id, name, created_at, file_type },
    rhythm_days: daysOrNull(rhythm?.rhythmMs ?? null),
    expected_at: isoOrNull(rhythm?.expectedMs ?? null),
    state: project.state,
    learned_from:
      rhythm === null
        ? null
        : {
            file_type: rhythm.fileType,
            uploads: rhythm.uploads,
            shortest_days: daysOrNull(rhythm.shortestMs),
            longest_days: daysOrNull(rhythm.longestMs),
          },
    baselines: project.baselines,
    latest_baseline_at: baseline?.created_at ?? null,
    latest_baseline: baseline === undefined ? null : { id: baseline.id, name: baseline.name },
    integrations: namedIntegrations(project.integrations, names),
  };
}

function countsOf(all: readonly JudgedProject[]): ScheduleProjectsView["counts"] {
  const projects = all.filter(({ project }) => project !== null);
  const amount = (isCounted: (project: JudgedProject) => boolean) =>
    projects.filter(isCounted).length;
  return {
    projects: projects.length,
    behind: amount(({ state }) => state === "behind"),
    unknown: amount(({ state }) => state === null),
    no_baseline: amount(({ baselines }) => baselines === 0),
    files: sum(all.map(({ files }) => files)),
    baselines: sum(all.map(({ baselines }) => baselines)),
    files_without_project: all.find(({ project }) => project === null)?.files ?? 0,
  };
}

/** @param sorted by urgency */
function furthestOf([first]: readonly JudgedProject[]): ScheduleProjectsView["furthest_behind"] {
  const expectedMs = first?.rhythm?.expectedMs ?? null;
  if (first === undefined || first.state !== "behind" || expectedMs === null) return null;
  return { name: first.name, expected_at: iso(expectedMs) };
}

function daysOrNull(ms: number | null): number | null {
  return ms === null ? null : ms / DAY_MS;
}
