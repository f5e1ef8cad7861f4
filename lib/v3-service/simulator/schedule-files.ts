import type { CustomerProject, FileType } from "@/lib/v3-service/store/schema";
import type { NewScheduleFile } from "@/lib/v3-service/store/writer";
import type { DemoCompany, DemoSlug } from "./companies";
import type { Dice } from "./dice";
import { DAY_MS, HOUR_MS } from "./units";

/** A project with schedule files: its works and its file format. */
type Project = {
  customerProject: CustomerProject;
  fileType: FileType;
  /** Null: its scheduling integration has been disconnected since. */
  partnerTokenId: number | null;
  /** Parts of the project, each with its own schedule. */
  works: readonly string[];
};

/** Names of repeated uploads: `#` counts up, `%` is the week of the year. */
const REGULAR = ["rev #", "wk %", "look-ahead wk %", "rev # (issued)"];
/** Names of single uploads used as baselines. */
const BASELINES = ["contract", "tender", "agreed", "as let", "award", "baseline #"];
const NEVER_FILED = ["Copy of programme", "Test upload", "Summer works options", "Plant moves"];

const PROJECTS: Record<DemoSlug, readonly Project[]> = {
  northgate: [
    project(4101, "Riverside Tower", "procore", "RT-2024", "xer", 901, [
      "Tower A",
      "Tower B",
      "Podium",
    ]),
    project(4102, "Harbour Tunnel", "aconex", "HT/L3", "xml", 902, ["lot 3", "lot 4", "portal"]),
    project(4103, "St Olav Hospital", "dalux", "STO-07", "ppx", 903, [
      "wing C",
      "wing D",
      "helipad",
    ]),
    project(4104, "A7 Interchange", "procore", "A7-110", "mpp", 902, [
      "structures",
      "earthworks",
      "utilities",
    ]),
    project(4105, "Quayside Depot", "procore", "QD-31", "xer", null, ["fit-out", "shell"]),
  ],
  harbour: [
    project(4201, "Breakwater Phase 2", "aconex", "BW2", "xer", 911, ["caissons", "armour"]),
    project(4202, "北港 Terminal", "andpad", "北-12", "xml", 912, ["berth 4", "cranes"]),
  ],
  orchard: [],
};

const COUNTS: Record<DemoSlug, { files: number; baselines: number }> = {
  northgate: { files: 184, baselines: 31 },
  harbour: { files: 40, baselines: 6 },
  orchard: { files: 0, baselines: 0 },
};

/** Uploads are spread over this period before the epoch. */
const YEARS_MS = 730 * DAY_MS;

/**
 * The schedule files of a company, oldest first: two years of uploads up to `epochMs`. Ids increase with upload time,
 * as in reality, and are unique in the whole service.
 */
export function scheduleFiles(
  { slug, companyId }: DemoCompany,
  dice: Dice,
  epochMs: number,
): readonly NewScheduleFile[] {
  const { files, baselines } = COUNTS[slug];
  const throwDice = (...key: readonly (number | string)[]) => dice(slug, "files", ...key);
  const pick = <T>(choices: readonly T[], ...key: readonly (number | string)[]) => {
    const choice = choices[Math.floor(throwDice(...key) * choices.length)];
    if (choice === undefined) throw new Error("Nothing to choose from.");
    return choice;
  };
  const projects = PROJECTS[slug];
  // Decides which uploads are baselines: a fixed number, evenly mixed.
  const order = Array.from({ length: files }, (_, index) => index).toSorted(
    (a, b) => throwDice("order", a) - throwDice("order", b),
  );
  const isBaseline = new Set(order.slice(0, baselines));
  const revisions = new Map<string, number>();

  return Array.from({ length: files }, (_, index): NewScheduleFile => {
    // One upload in each of equally long periods, in working hours; the last one is recent.
    const stretchMs = YEARS_MS / files;
    const inTheStretchMs = epochMs - YEARS_MS + (index + throwDice("when", index)) * stretchMs;
    const createdAtMs = Math.min(
      Math.floor(inTheStretchMs / DAY_MS) * DAY_MS +
        Math.floor((7 + 11 * throwDice("hour", index)) * HOUR_MS),
      epochMs - HOUR_MS,
    );
    const upload = {
      companyId,
      id: companyId * 1000 + index + 1,
      isBaseline: isBaseline.has(index),
      createdAtMs,
    };
    if (throwDice("filed", index) < 0.08) {
      const fileType = pick<FileType>(["xer", "xml", "ppx", "mpp"], "type", index);
      const name = `${pick(NEVER_FILED, "loose", index)} ${index}.${fileType}`;
      return { ...upload, name, fileType, customerProject: null, partnerTokenId: null };
    }
    const { customerProject, fileType, partnerTokenId, works } = pick(projects, "project", index);
    const title = `${customerProject.name} ${pick(works, "works", index)}`;
    const kind = pick(upload.isBaseline ? BASELINES : REGULAR, "kind", index);
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
  }).toSorted((a, b) => a.createdAtMs - b.createdAtMs);
}

function project(
  id: number,
  name: string,
  source: string,
  customerProjectId: string,
  fileType: FileType,
  partnerTokenId: number | null,
  works: readonly string[],
): Project {
  const customerProject = { id, name, source, customer_project_id: customerProjectId };
  return { customerProject, fileType, partnerTokenId, works };
}
