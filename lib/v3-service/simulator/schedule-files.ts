import type { CustomerProject, FileType } from "@/lib/v3-service/store/schema";
import type { NewScheduleFile } from "@/lib/v3-service/store/writer";
import type { DemoCompany, DemoSlug } from "./companies";
import type { Dice } from "./dice";
import { DAY_MS, HOUR_MS } from "./units";

/** A project with schedule files: its works, its file format and how often its schedule is uploaded. */
type Project = {
  customerProject: CustomerProject;
  fileType: FileType;
  /** Null: its scheduling integration has been disconnected since. */
  partnerTokenId: number | null;
  /** Parts of the project, each with its own schedule. */
  works: readonly string[];
  files: number;
  baselines: number;
  /** Days between two uploads, with some variation; a list is repeated exactly, newest gap first. */
  gapDays: number | readonly number[];
  latestDaysBeforeEpoch: number;
};

/** Names of repeated uploads: `#` counts up, `%` is the week of the year. */
const REGULAR = ["rev #", "wk %", "look-ahead wk %", "rev # (issued)"];
/** Names of single uploads used as baselines. */
const BASELINES = ["contract", "tender", "agreed", "as let", "award", "baseline #"];
const NEVER_FILED = ["Copy of programme", "Test upload", "Summer works options", "Plant moves"];
const FILE_TYPES: readonly FileType[] = ["xer", "xml", "ppx", "mpp"];

/** Days between uploads that no rhythm can be learned from. */
const NO_RHYTHM = [3, 45, 9, 38, 2, 51, 20, 4, 44, 12];

/** As in any company, most are on time. In northgate, one each is due, overdue, and without a rhythm to judge by. */
const PROJECTS: Record<DemoSlug, readonly Project[]> = {
  northgate: [
    {
      customerProject: {
        id: 4101,
        name: "Riverside Tower",
        source: "procore",
        customer_project_id: "RT-2024",
      },
      fileType: "xer",
      partnerTokenId: 901,
      works: ["Tower A", "Tower B", "Podium"],
      files: 52,
      baselines: 12,
      gapDays: 14,
      latestDaysBeforeEpoch: 4,
    },
    {
      customerProject: {
        id: 4102,
        name: "Harbour Tunnel",
        source: "aconex",
        customer_project_id: "HT/L3",
      },
      fileType: "xml",
      partnerTokenId: 902,
      works: ["lot 3", "lot 4", "portal"],
      files: 50,
      baselines: 9,
      gapDays: 7,
      latestDaysBeforeEpoch: 15,
    },
    {
      customerProject: {
        id: 4103,
        name: "St Olav Hospital",
        source: "dalux",
        customer_project_id: "STO-07",
      },
      fileType: "ppx",
      partnerTokenId: 903,
      works: ["wing C", "wing D", "helipad"],
      files: 36,
      baselines: 6,
      gapDays: 9,
      latestDaysBeforeEpoch: 3,
    },
    {
      customerProject: {
        id: 4104,
        name: "A7 Interchange",
        source: "procore",
        customer_project_id: "A7-110",
      },
      fileType: "mpp",
      partnerTokenId: 902,
      works: ["structures", "earthworks", "utilities"],
      files: 19,
      baselines: 4,
      gapDays: NO_RHYTHM,
      latestDaysBeforeEpoch: 42,
    },
    {
      customerProject: {
        id: 4105,
        name: "Quayside Depot",
        source: "procore",
        customer_project_id: "QD-31",
      },
      fileType: "xer",
      partnerTokenId: null,
      works: ["fit-out", "shell"],
      files: 21,
      baselines: 0,
      gapDays: 30,
      latestDaysBeforeEpoch: 36,
    },
  ],
  harbour: [
    {
      customerProject: {
        id: 4201,
        name: "Breakwater Phase 2",
        source: "aconex",
        customer_project_id: "BW2",
      },
      fileType: "xer",
      partnerTokenId: 911,
      works: ["caissons", "armour"],
      files: 21,
      baselines: 4,
      gapDays: 14,
      latestDaysBeforeEpoch: 5,
    },
    {
      customerProject: {
        id: 4202,
        name: "North Port Terminal",
        source: "andpad",
        customer_project_id: "NP-12",
      },
      fileType: "xml",
      partnerTokenId: 912,
      works: ["berth 4", "cranes"],
      files: 17,
      baselines: 2,
      gapDays: 28,
      latestDaysBeforeEpoch: 6,
    },
  ],
  orchard: [],
};

/** Files of no project, over this period. */
const LOOSE_FILES: Record<DemoSlug, number> = { northgate: 6, harbour: 2, orchard: 0 };
const LOOSE_DAYS_BEFORE_EPOCH = { latest: 10, first: 600 };

/** Share of the usual gap by which an upload is early or late at most. */
const VARIATION = 0.1;

type Upload = Pick<NewScheduleFile, "createdAtMs" | "isBaseline"> & {
  project: Project | null;
  /** Distinguishes uploads of the same project. */
  key: number;
};

/**
 * The schedule files of a company up to `untilMs`, oldest first: those of the two years before `epochMs`, and since then
 * the uploads of projects that were on time. Ids increase with upload time, as in reality, and are unique in the whole
 * service.
 * @param untilMs `epochMs` or later
 */
export function scheduleFiles(
  { slug, companyId }: DemoCompany,
  dice: Dice,
  epochMs: number,
  untilMs: number,
): readonly NewScheduleFile[] {
  const throwDice: Dice = (...key) => dice(slug, "files", ...key);
  const pick = <T>(choices: readonly T[], ...key: readonly (number | string)[]) => {
    const choice = choices[Math.floor(throwDice(...key) * choices.length)];
    if (choice === undefined) throw new Error("Nothing to choose from.");
    return choice;
  };
  const { latest, first } = LOOSE_DAYS_BEFORE_EPOCH;
  const loose = Array.from({ length: LOOSE_FILES[slug] }, (_, key): Upload => ({
    project: null,
    key,
    isBaseline: false,
    createdAtMs: inWorkingHours(
      epochMs - (latest + throwDice("loose when", key) * (first - latest)) * DAY_MS,
      throwDice("loose hour", key),
    ),
  }));
  const revisions = new Map<string, number>();

  const uploads = PROJECTS[slug].flatMap((one) => [
    ...uploadsBefore(one, throwDice, epochMs),
    ...uploadsAfter(one, throwDice, epochMs, untilMs),
  ]);
  return [...uploads, ...loose]
    .toSorted((a, b) => a.createdAtMs - b.createdAtMs)
    .map(({ project: of, key, isBaseline, createdAtMs }, index): NewScheduleFile => {
      const upload = { companyId, id: companyId * 1000 + index + 1, isBaseline, createdAtMs };
      if (of === null) {
        const fileType = pick(FILE_TYPES, "loose type", key);
        const name = `${pick(NEVER_FILED, "loose name", key)} ${index}.${fileType}`;
        return { ...upload, name, fileType, customerProject: null, partnerTokenId: null };
      }
      const { customerProject, fileType, partnerTokenId, works } = of;
      const title = `${customerProject.name} ${pick(works, customerProject.id, "works", key)}`;
      const kind = pick(isBaseline ? BASELINES : REGULAR, customerProject.id, "kind", key);
      const revision = (revisions.get(title) ?? 0) + 1;
      revisions.set(title, revision);
      const date = new Date(createdAtMs);
      const dayOfYear = (createdAtMs - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY_MS;
      const week = String(Math.floor(dayOfYear / 7) + 1).padStart(2, "0");
      return {
        ...upload,
        name: `${title}, ${kind.replace("#", String(revision)).replace("%", week)}.${fileType}`,
        fileType,
        customerProject,
        // Files have been linked to their integration since a year before the epoch.
        partnerTokenId: createdAtMs < epochMs - 365 * DAY_MS ? null : partnerTokenId,
      };
    });
}

/** A project's uploads, newest first; the first ever is a baseline if any is, and the newest isn't. */
function uploadsBefore(project: Project, throwDice: Dice, epochMs: number): readonly Upload[] {
  const { files, baselines, gapDays, latestDaysBeforeEpoch } = project;
  const isBaseline = new Set(
    Array.from({ length: baselines }, (_, n) => files - 1 - Math.floor((n * files) / baselines)),
  );
  let listedDays = latestDaysBeforeEpoch;
  return Array.from({ length: files }, (_, key): Upload => {
    if (typeof gapDays === "number")
      return regularUpload(project, gapDays, key, { throwDice, epochMs }, isBaseline.has(key));
    const daysBefore = listedDays;
    listedDays += gapDays[key % gapDays.length] ?? 0;
    return uploadAt(project, key, { throwDice, epochMs, daysBefore }, isBaseline.has(key));
  });
}

/** The later uploads of a project that was on time, oldest first. */
function uploadsAfter(
  project: Project,
  throwDice: Dice,
  epochMs: number,
  untilMs: number,
): readonly Upload[] {
  const { gapDays, latestDaysBeforeEpoch } = project;
  const uploads: Upload[] = [];
  if (typeof gapDays !== "number" || latestDaysBeforeEpoch > gapDays) return uploads;
  for (let key = -1; ; key -= 1) {
    const upload = regularUpload(project, gapDays, key, { throwDice, epochMs }, false);
    if (upload.createdAtMs > untilMs) return uploads;
    uploads.push(upload);
  }
}

/** @param key 0 for the latest before the epoch, counting up into the past */
function regularUpload(
  project: Project,
  gapDays: number,
  key: number,
  { throwDice, epochMs }: { throwDice: Dice; epochMs: number },
  isBaseline: boolean,
): Upload {
  const drift = throwDice(project.customerProject.id, "drift", key) * 2 - 1;
  const driftDays = key === 0 ? 0 : drift * VARIATION * gapDays;
  const daysBefore = project.latestDaysBeforeEpoch + key * gapDays + driftDays;
  return uploadAt(project, key, { throwDice, epochMs, daysBefore }, isBaseline);
}

function uploadAt(
  project: Project,
  key: number,
  { throwDice, epochMs, daysBefore }: { throwDice: Dice; epochMs: number; daysBefore: number },
  isBaseline: boolean,
): Upload {
  const share = throwDice(project.customerProject.id, "hour", key);
  return {
    project,
    key,
    isBaseline,
    createdAtMs: inWorkingHours(epochMs - daysBefore * DAY_MS, share),
  };
}

/** On that day (UTC), or on the closest one of the working week. @param share of the working hours, 0 to 1 */
function inWorkingHours(ms: number, share: number): number {
  const day = Math.floor(ms / DAY_MS);
  const weekday = new Date(day * DAY_MS).getUTCDay();
  const moved = weekday === 6 ? day - 1 : weekday === 0 ? day + 1 : day;
  return moved * DAY_MS + Math.floor((7 + 11 * share) * HOUR_MS);
}
