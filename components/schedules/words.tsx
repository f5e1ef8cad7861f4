import type { ReactNode } from "react";
import type { KeyWords } from "@/components/list/keys-dialog";
import type { FileFacets, ScheduleFileRow, ScheduleFileView } from "@/lib/contracts/schedule-files";
import { baselineLoss, fileTypeText, integrationText } from "@/lib/domain/words/file-words";
import { inOwnOrder } from "@/lib/domain/text/in-own-order";
import { count, counted } from "@/lib/domain/words/format";
import { NONE, type FilesState } from "./files-url";

// Above the list.

export const CSV = "CSV";
export const FILES = "Schedule files";

export const filesHead = {
  loading: "Loading the first page…",
  summary: (
    {
      baselines,
      projects,
      integrations,
    }: Record<"baselines" | "projects" | "integrations", number>,
    isComplete: boolean,
  ) =>
    `${counted(baselines, "baseline")}, ${counted(projects, "project")}, ${counted(integrations, "integration")}${isComplete ? "" : " so far"}`,
  /** After the state of the index. */
  coverage: ". Search, filters and counts cover indexed files only.",
};

/** Why there is no list. @param status of the response; 0: none */
export function noListSentence(status: number): string {
  if (status === 0) return "Plumbline isn’t responding. Retrying automatically.";
  return status === 400
    ? "This link contains an invalid filter."
    : "The list of files isn’t available right now. Retrying automatically.";
}

export const noScope = {
  title: "Can’t read schedule files",
  sentence: (company: string) =>
    `This connection doesn’t have the read:schedule_files scope. Files appear here once ${company}’s API client has it.`,
};

export const noFiles = {
  title: "No schedule files",
  sentence: (company: string) =>
    `This connection can’t see any files for ${company}. Uploads appear here within a minute or two.`,
};

// Filters.

export const filterWords = {
  search: "Name or project",
  type: "Type",
  anyType: "All",
  baseline: "Baseline",
  anyBaseline: "Any",
  baselines: "Baselines",
  notBaselines: "Not baselines",
  project: "Project",
  allProjects: "All projects",
  /** @param isRepeated another project has the same name */
  projectOf: (
    { id, name, source }: { id: number; name: string; source: string | null },
    isRepeated: boolean,
  ) => (isRepeated ? `${name} (${[source, id].filter((part) => part !== null).join(" ")})` : name),
  noProject: "No project",
  integration: "Integration",
  allIntegrations: "All integrations",
  notLinked: "Not linked",
  integrationOf: (shown: string) => `Integration ${shown}`,
  versions: "Versions",
  allVersions: "All versions",
  /** @param kept number of files */
  allButNewest: (kept: number) => `All but the newest ${count(kept)} of each project`,
  choice: (name: string, files: number) => `${name} (${count(files)})`,
  more: (amount: number) => `${count(amount)} more; search by name.`,
  shown: (matching: number, all: number) => `${count(matching)} of ${count(all)} shown`,
  shortcuts: "Keyboard shortcuts",
};

/**
 * Of the list's filters, for a statement about it.
 * @param facets for the names of projects and integrations; undefined: not known
 */
export function chatFilters(state: FilesState, facets: FileFacets | undefined): string[] {
  const { q, type, baseline, project, source, integration, except_newest: kept } = state;
  const named = facets?.projects.find(
    ({ project: one }) =>
      String(one?.id) === project && (source === null || one?.source === source),
  )?.project;
  const token = facets?.integrations.find(({ partner_token_id: id }) => String(id) === integration);
  return [
    q.trim() === "" ? "" : `“${q.trim()}”`,
    type === null ? "" : fileTypeText(type),
    baseline === null ? "" : filterWords[baseline === "true" ? "baselines" : "notBaselines"],
    project === null
      ? ""
      : project === NONE
        ? filterWords.noProject
        : (named?.name ?? `${filterWords.project} ${project}`),
    integration === null
      ? ""
      : integration === NONE
        ? filterWords.notLinked
        : filterWords.integrationOf(
            token === undefined ? integration : integrationText(token.partner_token_id, token.name),
          ),
    kept === null ? "" : filterWords.allButNewest(kept),
  ].filter(Boolean);
}

/**
 * The list of files as one sentence, under its filters: "12 of 184 schedule files".
 * @param heading of the whole list
 * @param shown number of matching files; null: no filter is on
 * @param progress of the index; empty: it is complete
 */
export function filesSentence(heading: string, shown: number | null, progress: string): string {
  const of = shown === null ? heading : `${count(shown)} of ${heading}`;
  return progress === "" ? of : `${of}, ${progress}`;
}

/**
 * One file as one sentence.
 * @param given.uploaded a moment with its date; `gone`: since when it's missing, null: it isn't
 * @param given.pending what was requested and isn't done; empty: nothing
 */
export function fileSentence(
  { customer_project: project, is_baseline: isBaseline }: ScheduleFileRow,
  given: { uploaded: string; gone: string | null; pending: string },
): string {
  const of = project === null ? "" : ` of ${project.name}`;
  return [
    `${isBaseline ? "baseline" : "schedule file"}${of}, uploaded ${given.uploaded}`,
    given.gone === null ? "" : `missing since ${given.gone} or earlier`,
    given.pending.toLowerCase(),
  ]
    .filter(Boolean)
    .join(", ");
}

export const SEARCH_FAILED = "Couldn’t run this search. Showing the previous list.";

/** @param wanted search text; empty: none. @param isWhole every file is indexed */
export function noMatches(wanted: string, known: number, isWhole: boolean) {
  const where = isWhole ? "" : " indexed so far";
  return {
    ...(wanted !== "" && { title: `No match for “${wanted}”` }),
    sentence:
      wanted === ""
        ? `The filters hide all ${counted(known, "file")}${where}.`
        : `No files${where} match this name or project with the current filters.`,
    show: `Show all ${counted(known, "file")}`,
  };
}

// The list.

export const columns = {
  name: "Name",
  /** Only for assistive technology. */
  notes: "Notes",
  type: "Type",
  baseline: "Baseline",
  project: "Project",
  uploaded: "Uploaded",
  integration: "Integration",
  /** "Uploaded, Oslo time" */
  inZone: (name: string, zone: string) => `${name}, ${zone}`,
  selectInView: (files: number) => `Select ${counted(files, "file")} in view`,
};

/** How a file relates to others. */
export const markWords = {
  same: "Same name",
  sameNote: (others: number) =>
    others === 1
      ? "1 other file has exactly this name"
      : `${count(others)} other files have exactly this name`,
  alike: "Look-alike",
  alikeNote: (name: string, id: number) => `another name that looks the same: ${name}, ID ${id}`,
  superseded: (name: string) => `superseded by ${name}`,
  heading: "Similar files",
  sameSentence: (others: number) =>
    `${others === 1 ? "1 other file has" : `${count(others)} other files have`} exactly this name.`,
  alikeSentence: "Another name looks the same:",
  supersededSentence: "Superseded in its project by",
  /** After a name. */
  withId: (id: number) => `, ID ${id}`,
};

export const rowWords = {
  select: (name: string) => `Select ${name}`,
  delete: "Delete",
  deleteOne: (name: string) => `Delete ${name}`,
};

export const ROWS_MISSING = "Some rows didn’t load. Scroll back to them to try again.";

// The selection.

function baselinesNote(amount: number): string {
  if (amount === 0) return "no baselines";
  return amount === 1
    ? "1 is a baseline and needs separate confirmation"
    : `${count(amount)} are baselines and need separate confirmation`;
}

function latestNote([first, ...others]: readonly string[]): string {
  if (first === undefined) return "";
  return others.length === 0
    ? `1 is the latest upload of ${inOwnOrder(first)}`
    : `${count(others.length + 1)} are the latest uploads of their projects`;
}

export const selected = {
  label: "Selection",
  amount: (amount: number, isMatching: boolean) =>
    isMatching ? `All ${count(amount)} matching` : `${count(amount)} selected`,
  /** @param latestOf names of the projects whose latest upload is selected */
  note: (baselines: number, latestOf: readonly string[]) =>
    [baselinesNote(baselines), latestNote(latestOf)].filter(Boolean).join("; "),
  tooManyMatching: (most: number) => `You can delete up to ${count(most)} at once; narrow the list`,
  tooMany: (most: number) =>
    `You can select up to ${count(most)} one by one; narrow the list and select all matching`,
  all: (matching: number) => `Select all ${count(matching)} matching`,
  paused: "Deletions are paused until an administrator resumes them",
  notSelected: "Couldn’t select them. Try again.",
  clear: "Clear",
  delete: (amount: number) => `Delete ${counted(amount, "file")}`,
};

/**
 * Keyboard shortcuts of the list. @param canDelete whether files can be selected and deleted here
 */
export function fileKeys(canDelete: boolean): KeyWords {
  return [
    ["J, K or arrows", "move from file to file"],
    ["Home, End", "go to the first or last file"],
    ["← and →", canDelete ? "go to a file’s checkbox, name and buttons" : "go to a file’s name"],
    ["Enter", "open the file"],
    ...(canDelete
      ? ([
          ["X", "select the file, or clear its selection"],
          ["Shift and click", "select all files from the last one to this one"],
          ["Z", "undo a deletion while it’s pending"],
        ] as const)
      : []),
    ["/", "search names and projects"],
    ["Escape", "clear the search"],
    ["Ctrl or ⌘ K", "search, jump to a page, run a command"],
    ["?", "show these shortcuts"],
  ];
}

// One file.

const fileTitle = (id: string) => `Schedule file ${id}`;

export const fileWords = {
  crumb: FILES,
  noName: "No name",
  title: fileTitle,
  /** Title of the tab. @param name null: unknown */
  tab: (name: string | null, id: string) => inOwnOrder(name ?? "").trim() || fileTitle(id),
  loading: "Loading the file…",
  silent: "No response. Retrying automatically.",
  lastSeen: (at: string) => `Last seen ${at}.`,
  pending: (what: string, seen: string) => `${what}. ${seen}`,
  heading: "File",
  baselines: "Project baselines",
  baselinesKnown: (amount: number) => `${counted(amount, "known baseline")} in this project.`,
  record: "History",
  recordFirst: "First seen",
  recordLast: "Last seen",
  recordGone: "Missing since",
  raw: "Raw fields",
  rawNote: "as received",
};

/**
 * What is known of the baselines of a file's project, and what would be lost with the file if it is one; null: nothing.
 * Nothing more is lost with a file that is gone, and it isn't counted.
 */
export function baselinesText({
  file,
  project_baselines: known,
  gone_at: goneAt,
}: Pick<ScheduleFileView, "file" | "project_baselines" | "gone_at">): string | null {
  if (file.is_baseline && goneAt === null)
    return baselineLoss(file.customer_project?.name ?? null, known);
  return known === null ? null : fileWords.baselinesKnown(known);
}

/** Of a deleted file. */
export const gone = {
  /** @param since when a read found it missing */
  since: (since: string) => `Missing since ${since} or earlier.`,
  /** @param person null: unknown */
  deleted: (person: ReactNode, at: string): ReactNode => (
    <>
      Deleted {person === null ? null : <>by {person} </>}at {at}.
    </>
  ),
  activity: "Show in activity",
};

export const unknownFile = {
  title: (id: string) => (/^\d+$/.test(id) ? `No schedule file ${id}` : "No such schedule file"),
  sentence: (company: string) =>
    `We can’t find it in ${company}. It may have been deleted, or the link may be incomplete.`,
  all: "All schedule files",
};
