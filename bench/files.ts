import type { ServedScheduleFile } from "@/lib/contracts/v3";

const PLACES = [
  "North",
  "South",
  "East",
  "West",
  "Central",
  "Upper",
  "Lower",
  "Old",
  "New",
  "Grand",
];
const WORKS = [
  "Tower",
  "Bridge",
  "Harbour",
  "Metro",
  "Hospital",
  "School",
  "Airport",
  "Stadium",
  "Depot",
  "Tunnel",
  "Plaza",
  "Wharf",
  "Reservoir",
  "Museum",
  "Terminal",
];
const TYPES = ["xer", "xml", "mpp", "ppx"] as const;
const PROJECTS = 400;

/**
 * Schedule files as uploaded by many projects over years: every twelfth a baseline, every ninth without a project.
 * Deterministic.
 * @param nowMs epoch milliseconds
 * @returns newest first
 */
export function benchFiles(count: number, nowMs: number): ServedScheduleFile[] {
  const pick = (from: readonly string[], at: number) => from[at % from.length] ?? "";
  return Array.from({ length: count }, (_, index): ServedScheduleFile => {
    const project = index % PROJECTS;
    const type = TYPES[index % TYPES.length] ?? "xer";
    const place = pick(PLACES, project);
    const work = pick(WORKS, project * 7);
    return {
      id: 1_000_000 + count - index,
      name: `${place} ${work} update ${Math.floor(index / PROJECTS)} rev ${index % 7}.${type}`,
      is_baseline: index % 12 === 0,
      company_id: 1,
      customer_project:
        index % 9 === 0
          ? null
          : {
              id: project,
              name: `${place} ${work} ${project}`,
              source: "procore",
              customer_project_id: `P-${project}`,
            },
      created_at: new Date(nowMs - index * 600_000).toISOString(),
      file_type: type,
      partner_token_id: index % 5 === 0 ? null : index % 7,
    };
  });
}

/** Search texts as typed letter by letter: broad at first, then narrow. */
export function benchSearches(): string[] {
  const wanted = [
    "tower",
    "north harbour update 12",
    "rev 3 metro",
    "hospital 77",
    "1050000",
    "grand museum",
    "terminal.mpp",
    "nothing like it",
  ];
  return wanted.flatMap((text) =>
    Array.from({ length: text.length }, (_, at) => text.slice(0, at + 1)),
  );
}
