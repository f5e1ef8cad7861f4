import type { KeyWords } from "@/components/list/keys-dialog";
import type {
  ProjectFilter,
  ScheduleProject,
  ScheduleProjectsView,
} from "@/lib/contracts/schedule-projects";
import { HOUR_MS, DAY_MS } from "@/lib/domain/time/units";
import { dayOf } from "@/lib/domain/time/day";
import { count, counted, duration } from "@/lib/domain/words/format";

export const PROJECTS = "Projects";

// Above the list.

/** What a part of the sentence shows when it is pressed. */
export type SentencePart = { text: string; show: "behind" | "no-baseline" | "unknown" | null };

/**
 * "1 of 5 projects is overdue: Harbour Tunnel, 6 d; 1 has no baseline; 1 we can't judge", in parts of which some are
 * filters.
 * @param isWhole every file is indexed
 * @param late how long the project that is furthest behind is overdue
 */
export function projectsSentence(
  { counts, furthest_behind: furthest }: Pick<ScheduleProjectsView, "counts" | "furthest_behind">,
  isWhole: boolean,
  late: string,
): readonly SentencePart[] {
  const { projects, behind, unknown, no_baseline: without, files_without_project: loose } = counts;
  const far = isWhole ? "" : " so far";
  const found = isWhole ? "" : " found so far";
  if (projects === 0) {
    const text = loose === 0 ? "No projects" : `No projects, ${counted(loose, "file")} in none`;
    return [{ text: `${text}${far}`, show: null }];
  }
  const parts: SentencePart[] = [];
  if (behind > 0) {
    const of = `${counted(projects, "project")}${found}`;
    const be = behind === 1 ? "is" : "are";
    parts.push({ text: `${count(behind)} of ${of} ${be} overdue`, show: "behind" });
    if (furthest !== null) {
      const worst = behind === 1 ? "" : "worst ";
      parts.push({ text: `: ${worst}${furthest.name}, ${late}`, show: null });
    }
  } else {
    parts.push(noneBehind(projects, unknown, found));
  }
  if (without > 0) {
    parts.push(
      { text: "; ", show: null },
      {
        text: `${count(without)} ${without === 1 ? "has" : "have"} no baseline${far}`,
        show: "no-baseline",
      },
    );
  }
  if (unknown > 0 && unknown < projects) {
    parts.push(
      { text: "; ", show: null },
      { text: `${count(unknown)} we can’t judge`, show: "unknown" },
    );
  }
  return parts;
}

/**
 * The list of projects as one sentence, under its filters: "3 of 12 projects found, 1 overdue".
 * @param whole the page's sentence, which is about all projects
 */
export function listedSentence(
  { data, meta, counts }: Pick<ScheduleProjectsView, "data" | "meta" | "counts">,
  { isWhole, isNarrowed, whole }: { isWhole: boolean; isNarrowed: boolean; whole: string },
): string {
  if (!isNarrowed) return whole;
  const far = isWhole ? "" : " so far";
  const behind = data.filter(({ state }) => state === "behind").length;
  const unknown = data.filter(({ state }) => state === null).length;
  // Those that are overdue come first.
  const isAll = meta.total_pages <= 1;
  return [
    `${count(meta.total_count)} of ${counted(counts.projects, "project")}${far}`,
    behind === 0 || meta.page > 1
      ? ""
      : `${isAll || behind < data.length ? "" : "at least "}${count(behind)} overdue`,
    unknown === 0 || !isAll ? "" : `${count(unknown)} can’t be judged`,
  ]
    .filter(Boolean)
    .join(", ");
}

/** Of the list's filters, for a statement about it. */
export const projectFilters = ({ q, show }: { q: string; show: ProjectFilter | null }) => [
  ...(show === null ? [] : [SHOW_LABEL[show]]),
  ...(q.trim() === "" ? [] : [`“${q.trim()}”`]),
];

/** @param found ends the number of projects while the index is incomplete */
function noneBehind(projects: number, unknown: number, found: string): SentencePart {
  const judged = projects - unknown;
  if (judged === 0) {
    const which = projects === 1 ? "the one project" : `any of ${counted(projects, "project")}`;
    return { text: `We can’t judge ${which}${found}`, show: "unknown" };
  }
  if (unknown === 0) {
    const text =
      projects === 1
        ? `The one project${found} isn’t overdue`
        : `None of ${counted(projects, "project")}${found} is overdue`;
    return { text, show: null };
  }
  const that = found === "" ? "" : `${found} that`;
  const text =
    judged === 1
      ? `The one project${that} we can judge isn’t overdue`
      : `None of the ${count(judged)} projects${that} we can judge is overdue`;
  return { text, show: null };
}

export const projectsHead = {
  summary: (
    { files, baselines, files_without_project: loose }: ScheduleProjectsView["counts"],
    isWhole: boolean,
  ) =>
    [
      counted(files, "file"),
      counted(baselines, "baseline"),
      ...(loose === 0 ? [] : [`${counted(loose, "file")} in no project`]),
    ].join(", ") + (isWhole ? "." : " so far."),
  learned: "The rhythm is learned from each project’s own uploads; it isn’t a promise.",
  loading: "Loading the projects…",
  /** After the progress of the index. */
  coverage: ". Rhythms, states and counts cover indexed files only.",
};

export const toolWords = {
  view: "View",
  projects: (amount: number | null) =>
    amount === null ? "Projects" : `Projects, ${count(amount)}`,
  files: (amount: number | null) => (amount === null ? "Files" : `Files, ${count(amount)}`),
  search: "Project",
  scale: "due = the usual gap since the latest upload",
};

// The list.

export const projectColumns = {
  state: "State",
  project: "Project",
  latest: "Latest upload",
  age: "Age",
  bar: "Age against rhythm",
  expected: "Next expected",
  rhythm: "Usual rhythm",
  baseline: "Baseline",
  files: "Files",
  integration: "Integration",
};

export const STATE_LABEL: Readonly<Record<NonNullable<ScheduleProject["state"]>, string>> = {
  current: "On time",
  due: "Due",
  behind: "Overdue",
};
/** Of the filter. */
const SHOW_LABEL: Readonly<Record<ProjectFilter, string>> = {
  ...STATE_LABEL,
  unknown: "Can’t tell",
  "no-baseline": "No baseline",
};
/** On the scale of the bars. */
export const DUE = "due";
export const CANT_TELL = "Can’t tell";
export const SO_FAR = "so far";
/** In place of the bar. */
export const NO_RHYTHM_NOTE = "no rhythm to judge by";
export const NOT_CHECKED_NOTE = "not checked since";
export const EXPECTED_UNKNOWN = "can’t tell";
export const expectedOnPhone = "expected";

/** "about every 7 d" */
export function rhythmText(rhythmDays: number | null): string {
  return rhythmDays === null ? "no rhythm" : `about every ${wholeDays(rhythmDays * DAY_MS)}`;
}

/** What the rhythm was learned from, or why there is none. @param isWhole every file is indexed */
export function learnedText(
  { learned_from: learned, rhythm_days: rhythm, latest }: ScheduleProject,
  isWhole: boolean,
): string {
  if (learned === null) return "no upload in a year";
  const { uploads, shortest_days: shortest, longest_days: longest, file_type: type } = learned;
  const ofType = type === latest.file_type ? "" : ` .${type}`;
  const far = isWhole ? "" : " so far";
  if (rhythm !== null) return `from ${count(uploads)}${ofType} uploads${far}`;
  if (uploads < MIN_UPLOADS || shortest === null || longest === null)
    return `${count(uploads)} of ${MIN_UPLOADS}${ofType} uploads needed${far}`;
  return `gaps from ${wholeDays(shortest * DAY_MS)} to ${wholeDays(longest * DAY_MS)}`;
}
/** Four gaps, as in the rule of the rhythm. */
const MIN_UPLOADS = 5;

/** How far an expected upload lies from now: "in 8 d", "tomorrow", "today", "yesterday", "6 d ago". */
export function daysAway(days: number): string {
  if (days === 0) return "today";
  if (Math.abs(days) === 1) return days > 0 ? "tomorrow" : "yesterday";
  return days > 0 ? `in ${count(days)} d` : `${count(-days)} d ago`;
}

/** Calendar days from one instant to another. */
export function daysBetween(fromMs: number, toMs: number, timeZone: string): number {
  const dayMs = (ms: number) => Date.parse(dayOf(ms, timeZone));
  return (dayMs(toMs) - dayMs(fromMs)) / DAY_MS;
}

/** How long an upload is overdue, in days like `daysAway`: "9 d"; below two days "26 h". */
export function overdueText(expectedMs: number, nowMs: number, timeZone: string): string {
  const days = daysBetween(expectedMs, nowMs, timeZone);
  return nowMs - expectedMs < 2 * DAY_MS ? wholeDays(nowMs - expectedMs) : `${count(days)} d`;
}

/** "31 d"; below two days "26 h". */
export function wholeDays(ms: number): string {
  if (ms >= 2 * DAY_MS) return `${count(Math.round(ms / DAY_MS))} d`;
  return ms >= HOUR_MS ? `${Math.round(ms / HOUR_MS)} h` : duration(ms);
}

export const barLabel = (age: string, rhythm: string) =>
  `${age} since the upload, usually ${rhythm}`;

export const baselineWords = {
  none: (isWhole: boolean) => (isWhole ? "No baseline" : "None found so far"),
  noneNote: "none marked at upload",
  several: (amount: number, isWhole: boolean) =>
    `${counted(amount, "baseline")}${isWhole ? "" : " so far"}`,
  latest: (name: string, day: string) => `${name}, ${day}`,
};

export const notLinkedNote = "no link, or it has ended";
export const moreIntegrations = (amount: number) => `and ${count(amount)} more`;
export const filesText = (amount: number, isWhole: boolean) =>
  isWhole ? count(amount) : `${count(amount)} so far`;

export const withoutProject = {
  title: (amount: number, isWhole: boolean) =>
    `${counted(amount, "file")} in no project${isWhole ? "" : " so far"}`,
  sentence: "No project was given at upload, so there’s no rhythm to judge them by.",
  show: "Show files",
};

/**
 * @param wanted search text; empty: none
 * @param isOfKind only projects of one kind are shown, so that one of another kind may match the text
 */
export function noProjectMatches(wanted: string, isOfKind: boolean) {
  const named = isOfKind
    ? "No project like this matches the name."
    : "No project has this in its name.";
  return {
    ...(wanted !== "" && { title: `No match for “${wanted}”` }),
    sentence: wanted === "" ? "No project is like this right now." : named,
    show: "Show all projects",
  };
}

export const projectPages = {
  label: "Pages of projects",
  back: "Previous",
  on: "Next",
  place: (page: number, pages: number, total: number) =>
    `Page ${count(page)} of ${count(pages)}, ${counted(total, "line")}`,
};

export const PROJECTS_OUTDATED = "Couldn’t update the projects. Retrying automatically.";

export const projectKeys: KeyWords = [
  ["J, K or arrows", "move from project to project"],
  ["Enter", "show the project’s files"],
  ["/", "search projects"],
  ["Escape", "clear the search"],
  ["Ctrl or ⌘ K", "search, jump to a page, run a command"],
  ["?", "show these shortcuts"],
];

// Naming an integration.

export const nameDialog = {
  open: (shown: string) => `Name integration ${shown}`,
  title: (id: number) => `Integration ${id}`,
  sentence: "The source gives only its number. The name is shown beside it, to everyone here.",
  name: "Name",
  save: "Save",
  cancel: "Cancel",
  remove: "Remove name",
  missing: "Enter a name.",
};

/** @param status of the response; 0: none */
export function nameRefusal(status: number): string {
  if (status === 403) return "You can’t name integrations of this customer.";
  if (status === 404) return "This integration has no files any more.";
  return status === 0
    ? "Plumbline isn’t responding. Try again."
    : "Couldn’t save the name. Try again.";
}
