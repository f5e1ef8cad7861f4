import type { SyncConfigStatus } from "@/lib/v3-service/store/schema";
import type { DemoSlug } from "./companies";

/** Trouble that began some days before the epoch, and hasn't ended since: each verdict has one endpoint that stands in it. */
export type Standing = { trouble: "throttled" | "down"; daysBeforeEpoch: number };

/** Endpoints of a relay are spread evenly over their interval, so that one of them is always due. They have no trouble. */
export type Relay = { name: string; place: number; of: number };

/**
 * Past trouble with a specific ending. For some time before its end no run started; then the config was paused,
 * removed, turned into a webhook's, given a far slower cadence for a few hours, or simply ran again.
 * `run_completed`: two manually requested runs failed, a third found nothing new, and soon it happened once more.
 */
export type Episode = {
  ending:
    | "data_received"
    | "run_completed"
    | "paused"
    | "removed"
    | "became_webhook"
    | "schedule_changed";
  endedDaysBeforeEpoch: number;
  silentHours: number;
};

/** One sync config of a demo company, and its simulated behaviour. */
export type DemoEndpoint = {
  company: DemoSlug;
  id: string;
  partnerName: string;
  endpointKey: string;
  status: SyncConfigStatus;
  /** The cadence reported by the API; null if the service knows none. */
  frequencyMinutes: number | null;
  /** Interval of its runs; 0 if it never runs. */
  everyMinutes: number;
  /** Usual duration of a completed run. */
  runSeconds: number;
  /** Usual number of calls that a completed run makes to the partner. */
  callsPerRun: number;
  standing: Standing | null;
  relay: Relay | null;
  episode: Episode | null;
  /** An active one also gets data from the external pipeline: about this many landings a day. */
  pipelineLandingsPerDay: number;
  /** No run starts from this many days before the epoch on; null: not paused. */
  pausedDaysBeforeEpoch: number | null;
  /** First listed this many days before the epoch, with a first sync planned soon after that never ran. */
  listedDaysBeforeEpoch: number | null;
  /** The config was recorded again this many days before the epoch, and nothing has landed since. */
  recordedDaysBeforeEpoch: number | null;
};

type Character = Partial<
  Omit<DemoEndpoint, "company" | "id" | "partnerName" | "endpointKey" | "frequencyMinutes">
>;
type Line = [key: string, frequencyMinutes: number | null, character?: Character];

/**
 * The grace of an hourly endpoint is 15 minutes, so with runs every 75 minutes it is due between an hour and the next
 * run.
 */
const drifting = (place: number): Character => ({
  relay: { name: "drifting", place, of: 6 },
  everyMinutes: 75,
  runSeconds: 13 * 60,
  callsPerRun: 22,
});

/** Every run fails. */
const failing = (daysBeforeEpoch: number): Character => ({
  standing: { trouble: "down", daysBeforeEpoch },
});

/** Every run is rejected by the partner's rate limit. */
const starved = (daysBeforeEpoch: number): Character => ({
  standing: { trouble: "throttled", daysBeforeEpoch },
});

/** Its first sync never ran, so it is late, and without data it can't be worse. */
const newcomer: Character = { everyMinutes: 0, listedDaysBeforeEpoch: 1.25 };

const webhook = (landingsPerDay: number): Character => ({
  status: "webhook",
  everyMinutes: 0,
  pipelineLandingsPerDay: landingsPerDay,
});
const paused = (daysBeforeEpoch: number): Character => ({
  status: "inactive",
  pausedDaysBeforeEpoch: daysBeforeEpoch,
});
const recordedAnew: Character = { recordedDaysBeforeEpoch: 3 };
const neverRun: Character = { everyMinutes: 0 };
const episode = (
  ending: Episode["ending"],
  endedDaysBeforeEpoch: number,
  silentHours = 0,
): Character => ({ episode: { ending, endedDaysBeforeEpoch, silentHours } });
const run = (runSeconds: number, callsPerRun: number): Character => ({ runSeconds, callsPerRun });

const NORTHGATE: readonly [partner: string, lines: readonly Line[]][] = [
  [
    "Sage 300",
    [
      ["commitments", 60, run(12, 4)],
      ["job_costs", 60, run(22, 6)],
      ["ap_invoices", 60, run(14, 6)],
      ["vendors", 240, { ...paused(5), ...run(9, 6) }],
      ["cost_codes", 1440, run(120, 3)],
    ],
  ],
  [
    "Aconex",
    [
      ["mail", 15, run(48, 7)],
      ["transmittals", 60, drifting(0)],
      ["documents", 30, run(57, 3)],
      ["workflows", 60, run(59, 2)],
    ],
  ],
  [
    "Primavera P6",
    [
      ["activities", 120, run(180, 5)],
      ["resource_assignments", 60, drifting(1)],
      ["relationships", 120, run(66, 4)],
      ["calendars", 1440, run(20, 7)],
      ["baselines", 1440, run(82, 3)],
    ],
  ],
  [
    "Oracle Unifier",
    [
      ["cash_flow", 240, run(64, 3)],
      ["business_processes", 30, { ...failing(6.2), ...run(19, 2) }],
      ["cost_sheets", 360, run(21, 3)],
      ["funding", 720, { ...run(25, 5), pipelineLandingsPerDay: 2 }],
    ],
  ],
  [
    "Procore",
    [
      ["daily_logs", 60, { ...starved(2.3), ...run(75, 9) }],
      ["timecards", 60, run(31, 20)],
      ["observations", 60, run(41, 8)],
      ["submittals", 30, run(38, 5)],
      ["commitments", 60, run(27, 5)],
      ["change_orders", 240, run(44, 16)],
      ["drawings", 60, drifting(2)],
      ["inspections", 60, { ...run(33, 4), pipelineLandingsPerDay: 12 }],
      ["rfis", null, webhook(40)],
    ],
  ],
  [
    "Autodesk Build",
    [
      ["rfis", 15, run(40, 7)],
      ["issues", 60, drifting(3)],
      ["submittals", 30, run(44, 7)],
      ["forms", 120, { ...newcomer, ...run(52, 11) }],
      ["assets", null, webhook(0)],
      ["sheets", 1440, run(410, 63)],
    ],
  ],
  [
    "CMiC",
    [
      ["pci", 60, { ...recordedAnew, ...run(5, 1) }],
      ["contracts", 240, run(36, 9)],
      ["purchase_orders", 60, run(18, 5)],
      ["timesheets", 60, run(23, 12)],
    ],
  ],
  [
    "Trimble Connect",
    [
      ["clash_sets", 120, neverRun],
      ["todos", null, webhook(14)],
      ["models", 60, run(90, 4)],
      ["topics", 60, run(11, 2)],
    ],
  ],
  [
    "Viewpoint Vista",
    [
      ["gl_entries", 60, drifting(4)],
      ["job_cost", 120, run(58, 6)],
      ["contracts", 360, run(29, 8)],
      ["equipment", 360, { ...paused(2), ...run(16, 3) }],
    ],
  ],
  [
    "Fieldwire",
    [
      ["tasks", 15, run(13, 2)],
      ["plans", 360, run(140, 22)],
      ["checklists", null, webhook(25)],
    ],
  ],
  [
    "Microsoft Project",
    [
      ["tasks", 120, run(62, 9)],
      ["resources", 240, run(34, 11)],
      ["assignments", 240, run(47, 15)],
    ],
  ],
  [
    "Asta Powerproject",
    [
      ["tasks", 120, { ...episode("paused", 4, 8), ...run(39, 3) }],
      ["baselines", 1440, run(71, 6)],
      ["code_libraries", 720, { ...paused(9), ...run(12, 1) }],
    ],
  ],
  [
    "Bluebeam Studio",
    [
      ["sessions", 15, run(21, 5)],
      ["markups", 60, drifting(5)],
      ["projects", 180, { ...paused(12), ...run(17, 2) }],
    ],
  ],
  [
    "Dalux Field",
    [
      ["tasks", 30, run(26, 3)],
      ["registrations", 360, run(33, 7)],
      ["inspection_plans", 120, run(28, 5)],
    ],
  ],
];

/** Realistic integration names that break careless software. */
const HARBOUR: typeof NORTHGATE = [
  [
    "Procore",
    [
      ["rfis", 30, run(29, 4)],
      ["submittals", 60, run(35, 6)],
      ["budget", 240, { ...run(51, 12), pipelineLandingsPerDay: 3 }],
      ["daily_logs", 60, run(40, 9)],
      ["timecards", 15, run(18, 8)],
    ],
  ],
  [
    "ANDPAD 施工管理",
    [
      ["日報", 60, run(24, 3)],
      ["工程表", 1440, run(95, 12)],
      ["検査", 240, { ...episode("schedule_changed", 6, 14), ...run(31, 4) }],
    ],
  ],
  [
    "Smith & Sons / Field Ops",
    [
      ["punch_list", 30, { ...episode("removed", 3, 5), ...run(12, 2) }],
      ["timesheets/approved", 60, run(19, 3)],
      ["photos", null, webhook(30)],
    ],
  ],
  [
    "Aconex",
    [
      ["mail", 15, run(42, 6)],
      ["documents", 60, run(66, 7)],
      [
        "outgoing_correspondence_register_with_distribution_lists_and_attachments",
        720,
        run(88, 14),
      ],
    ],
  ],
  [
    "Ministry of Transport Capital Programme Controls Gateway (Integrated Reporting Exchange, North)",
    [
      ["milestones", 1440, run(240, 35)],
      ["cash_flow", 1440, run(180, 20)],
    ],
  ],
  [
    "Primavera P6",
    [
      ["activities", 120, { ...episode("data_received", 8, 7), ...run(170, 5) }],
      ["resources", 240, { ...episode("paused", 8, 9), ...run(48, 4) }],
      ["baselines", 1440, run(77, 3)],
      // The API knows no cadence: it can only be learned from landings.
      ["wbs", null, { everyMinutes: 180, ...run(37, 4) }],
    ],
  ],
  [
    "100% Compliance",
    [
      ["certificates", 360, { ...episode("became_webhook", 5, 16), ...run(15, 2) }],
      ["inductions", 720, neverRun],
    ],
  ],
  [
    "Viewpoint Vista",
    [
      ["job_cost", 60, run(55, 6)],
      ["gl_entries", 60, run(33, 4)],
      ["contracts", 360, { ...paused(7), ...run(20, 8) }],
    ],
  ],
];

const ORCHARD: typeof NORTHGATE = [
  [
    "Buildertrend",
    [
      ["change_orders", 60, run(17, 3)],
      ["daily_logs", 30, run(21, 4)],
      ["schedules", 240, run(45, 9)],
    ],
  ],
  [
    "Microsoft Project",
    [
      ["assignments", 720, run(38, 8)],
      ["tasks", 120, { ...episode("schedule_changed", 10, 6), ...run(52, 6) }],
    ],
  ],
  [
    "Xero",
    [
      ["bills", 60, { ...episode("removed", 7, 4), ...run(9, 2) }],
      ["contacts", 1440, { ...episode("run_completed", 2.5), ...run(26, 11) }],
      ["invoices", 15, run(8, 2)],
    ],
  ],
];

/** All endpoints of all demo companies; ids are unique and never reused. */
export const DEMO_ENDPOINTS: readonly DemoEndpoint[] = [
  ...endpoints("northgate", 41_001, NORTHGATE),
  ...endpoints("harbour", 42_001, HARBOUR),
  ...endpoints("orchard", 43_001, ORCHARD),
];

function endpoints(
  company: DemoSlug,
  firstId: number,
  partners: typeof NORTHGATE,
): readonly DemoEndpoint[] {
  return partners
    .flatMap(([partnerName, lines]) => lines.map((line) => ({ partnerName, line })))
    .map(({ partnerName, line }, index) =>
      endpointOf(company, `sc-${firstId + index}`, partnerName, line),
    );
}

function endpointOf(
  company: DemoSlug,
  id: string,
  partnerName: string,
  [endpointKey, frequencyMinutes, character]: Line,
): DemoEndpoint {
  return {
    company,
    id,
    partnerName,
    endpointKey,
    frequencyMinutes,
    status: "active",
    everyMinutes: frequencyMinutes ?? 0,
    runSeconds: 30,
    callsPerRun: 5,
    standing: null,
    relay: null,
    episode: null,
    pipelineLandingsPerDay: 0,
    pausedDaysBeforeEpoch: null,
    listedDaysBeforeEpoch: null,
    recordedDaysBeforeEpoch: null,
    ...character,
  };
}
