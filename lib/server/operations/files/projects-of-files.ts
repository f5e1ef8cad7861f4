import { usualRhythm, type Rhythm } from "@/lib/domain/schedules/rhythm";
import { answerCache } from "@/lib/server/cache/answer-cache";
import { readIntegrations } from "@/lib/server/store/files/integration-names";
import {
  readProjectFiles,
  type NewestFile,
  type ProjectFiles,
} from "@/lib/server/store/files/schedule-projects";
import type { FilesRuntime } from "./live-files";

/** Facts of a project that change with its files only. */
export type Project = Omit<ProjectFiles, "uploads" | "fileType"> & {
  /** Number of files by type. */
  types: ReadonlyMap<string, number>;
  rhythm: Rhythm | null;
};

const ANSWERS_KEPT = 100;
/** While the mirror grows, milliseconds. */
const GROWING_MS = 5_000;

/** Cached, because it reads all files of the company. */
const projects = answerCache<readonly Project[]>("schedule projects", ANSWERS_KEPT, 1);

/**
 * A company's projects, and one without a project if there are such files, in no order.
 * @param version of the company's mirror, see `OpenIndex`
 */
export function projectsOf(
  { database, clock }: Pick<FilesRuntime, "database" | "clock">,
  company: string,
  version: string | null,
): Promise<readonly Project[]> {
  return projects(database, company, "", version ?? growing(clock), async () =>
    combined(await readProjectFiles(database.orm, company), clock.nowMs()),
  );
}

type IntegrationCount = { partnerTokenId: number; files: number };

/** Cached like the projects. */
const integrationCounts = answerCache<IntegrationCount[]>("integrations of files", ANSWERS_KEPT, 1);

/** Number of files of each integration that has any, by number. @param version as above */
export function integrationCountsOf(
  { database, clock }: Pick<FilesRuntime, "database" | "clock">,
  company: string,
  version: string | null,
): Promise<IntegrationCount[]> {
  return integrationCounts(database, company, "", version ?? growing(clock), async () =>
    (await readIntegrations(database.orm, company)).filter(({ files }) => files > 0),
  );
}

const growing = (clock: FilesRuntime["clock"]) =>
  `growing ${Math.floor(clock.monotonicMs() / GROWING_MS)}`;

/** Files of all types by project, in no order. */
function combined(all: readonly ProjectFiles[], nowMs: number): Project[] {
  const groups = new Map<string, ProjectFiles[]>();
  for (const files of all) {
    const { project } = files;
    const key = JSON.stringify(project === null ? null : [project.source, project.id]);
    const types = groups.get(key) ?? [];
    types.push(files);
    groups.set(key, types);
  }
  return [...groups.values()].flatMap((types): Project[] => {
    const [first] = types;
    if (first === undefined) return [];
    const newest = types.reduce((a, b) => (isNewer(b.latest, a.latest) ? b : a));
    const baselines = types.flatMap(({ latestBaseline }) => latestBaseline ?? []);
    const uploads = new Map(types.map(({ fileType, uploads: instants }) => [fileType, instants]));
    return [
      {
        project: first.project,
        name: newest.name,
        files: sum(types.map(({ files }) => files)),
        baselines: sum(types.map(({ baselines: amount }) => amount)),
        notLinked: sum(types.map(({ notLinked }) => notLinked)),
        types: new Map(types.map(({ fileType, files }) => [fileType, files])),
        latest: newest.latest,
        latestBaseline: baselines.toSorted((a, b) => (isNewer(a, b) ? -1 : 1))[0] ?? null,
        integrations: types.flatMap(({ integrations }) => integrations),
        rhythm: first.project === null ? null : usualRhythm(uploads, nowMs),
      },
    ];
  });
}

function isNewer(a: NewestFile, b: NewestFile): boolean {
  return a.uploadedMs === b.uploadedMs ? a.id > b.id : a.uploadedMs > b.uploadedMs;
}

/** Of amounts of files. */
export function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
