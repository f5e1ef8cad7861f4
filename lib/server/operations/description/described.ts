import { z } from "zod";
import { ActivityView } from "@/lib/contracts/activity";
import { RpcMessage } from "@/lib/contracts/assistants/tools";
import { AllowancesView } from "@/lib/contracts/calls/allowances";
import { AllChangesView, ChangesView, LastLook } from "@/lib/contracts/changes";
import { CompaniesView, SyncStatusView } from "@/lib/contracts/dashboard";
import { DeletionsView, DeletionView } from "@/lib/contracts/deletions";
import type { FailureCode } from "@/lib/contracts/failure";
import { FleetIncident, FleetIncidentsView } from "@/lib/contracts/fleet-incidents";
import {
  ApiCallsView,
  BoardHistory,
  BoardThenView,
  EndpointHistory,
  PartnerHistory,
  RUN_FILTERS,
  RUN_SORTS,
  RunPage,
  ThenView,
} from "@/lib/contracts/history";
import {
  Acknowledgement,
  CareView,
  Incident,
  INCIDENT_STATES,
  IncidentsView,
  IncidentView,
  Note,
  OwnerChange,
  TimelineEvent,
} from "@/lib/contracts/incidents";
import { IntegrationsView } from "@/lib/contracts/files/integrations";
import { CalendarsView } from "@/lib/contracts/lists/calendars";
import { LearnedWeekSwitch } from "@/lib/contracts/endpoint/learned-week";
import { LinksView } from "@/lib/contracts/links";
import { MeView } from "@/lib/contracts/me";
import {
  ParagraphsView,
  PartnerDaysView,
  PartnersView,
  PartnerView,
} from "@/lib/contracts/partners/partners";
import { KeptPerPromiseView, KeptView, PromisesView } from "@/lib/contracts/promises";
import { Expectation, ExpectationRequest, ExpectationsView } from "@/lib/contracts/quiet";
import { ReportDaysView, ReportView } from "@/lib/contracts/report";
import {
  FileFacets,
  FileSelection,
  ScheduleFilesView,
  ScheduleFileView,
} from "@/lib/contracts/schedule-files";
import { PROJECT_FILTERS, ScheduleProjectsView } from "@/lib/contracts/schedule-projects";
import { TodayView } from "@/lib/contracts/today";
import { OUTCOMES } from "@/lib/domain/deletion";
import { HISTORY_RANGES } from "@/lib/domain/history";
import { TROUBLES } from "@/lib/domain/incidents/incident";
import { VERDICTS } from "@/lib/domain/sync";
import { REPORT_RANGES } from "@/lib/domain/report/report-day";

/** A request that API tokens may send. */
export type Described = {
  summary: string;
  description?: string;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** JSON of a successful response, CSV, or a response without a body. */
  answer: z.ZodType | "csv" | "nothing";
  status?: 200 | 201 | 204;
  /** It may answer 304 to `If-None-Match`. */
  isConditional?: true;
  /** Its own errors, besides those of every request. */
  errors?: readonly FailureCode[];
};
type Methods = Readonly<Partial<Record<"GET" | "POST" | "PUT" | "PATCH" | "DELETE", Described>>>;

const optional = (description: string) => z.string().optional().describe(description);
const INSTANT = "An instant, ISO 8601.";
const at = z.string().optional().describe(`${INSTANT} As it was then; omitted: now.`);
const since = z.string().describe(`${INSTANT} On our clock.`);
const SEARCH = "Words to search for, at most 20, in at most 400 characters.";
const flag = (description: string) =>
  z.enum(["1", "true", "0", "false"]).optional().describe(description);
const paging = (most: number) => ({
  page: z.int().min(1).optional().describe("Page, from 1; default 1."),
  per_page: z.int().min(1).max(most).optional().describe(`Items per page; default 50.`),
});
const range = (words: readonly string[], standard: string) =>
  z.enum(words).optional().describe(`Length of time until now; default ${standard}.`);
const partner = optional("Name of a partner, as given.");
const endpoint = optional("Id of an endpoint, as given.");

/** Of fleet incidents. */
const ACTS_ON = "Of companies whose incidents the caller may handle: of all of them or none.";

const ofIncidents = {
  state: z.enum(INCIDENT_STATES).optional().describe("Omitted: both."),
  partner,
  verdict: z
    .enum([...TROUBLES, "unknown"])
    .optional()
    .describe("Current verdict."),
  mine: flag("Only the caller's."),
  unacknowledged: flag("Only those that no one has acknowledged."),
};
const incidents = { ...ofIncidents, ...paging(200) };
const sort = optional(
  "`uploaded`, `name`, `type` or `project`, reversed by a leading `-`; default `-uploaded`.",
);
const files = {
  q: optional(SEARCH),
  type: optional("File types, separated by commas, at most 20."),
  baseline: flag("Only baselines, or only other files."),
  project: optional("Id of a customer's project, or `none`."),
  source: optional("Source of the project; needs `project`."),
  integration: optional("Id of an integration, or `none`."),
  except_newest: z
    .int()
    .min(1)
    .max(100)
    .optional()
    .describe("Without this many of the newest files of each project."),
};
const activity = {
  q: optional(SEARCH),
  outcome: z.enum(OUTCOMES).optional().describe("Outcome of the action."),
  person: optional("Email of the person who requested it."),
  from: optional(`${INSTANT} First request.`),
  until: optional(`${INSTANT} End of requests.`),
};
const calls = { range: range(HISTORY_RANGES, "7d"), partner, endpoint };
const month = optional('A month, "2026-10"; default: the current one.');

const BAD: readonly FailureCode[] = ["invalid_request"];
const GONE: readonly FailureCode[] = ["invalid_request", "conflict"];

const OF_COMPANY: Readonly<Record<string, Methods>> = {
  "/activity": {
    GET: {
      summary: "List what people did in a company, newest first",
      query: z.object({ ...activity, ...paging(100) }),
      answer: ActivityView,
      errors: BAD,
    },
  },
  "/activity/csv": {
    GET: {
      summary: "Export what people did in a company",
      query: z.object(activity),
      answer: "csv",
      errors: BAD,
    },
  },
  "/allowances": {
    GET: { summary: "List how many API calls partners permit", answer: AllowancesView },
  },
  "/api-calls": {
    GET: {
      summary: "Read numbers of API calls by partner and endpoint",
      description: "Counts of rolling windows of 24 hours: never add them up over time.",
      query: z.object(calls),
      answer: ApiCallsView,
      errors: BAD,
    },
  },
  "/api-calls/csv": {
    GET: {
      summary: "Export numbers of API calls",
      query: z.object(calls),
      answer: "csv",
      errors: BAD,
    },
  },
  "/calendars": {
    GET: {
      summary: "List links to calendars of a company, newest first",
      description: "Needs the role member. Never contains the address of a calendar.",
      answer: CalendarsView,
    },
  },
  "/care": {
    GET: { summary: "Read who owns a company, and the stand-in", answer: CareView },
  },
  "/changes": {
    GET: {
      summary: "Read what changed in a company since an instant",
      query: z.object({ since }),
      answer: ChangesView,
      errors: BAD,
    },
  },
  "/deletions": {
    GET: {
      summary: "List deletions in progress, and the caller's of the last day",
      answer: DeletionsView,
    },
  },
  "/deletions/[deletion]": {
    GET: { summary: "Read a deletion and its files", answer: DeletionView },
  },
  "/deletions/[deletion]/csv": {
    GET: { summary: "Export the files of a deletion", answer: "csv" },
  },
  "/endpoints/[endpoint]": {
    GET: {
      summary: "Read the history of an endpoint",
      query: z.object({ range: range(HISTORY_RANGES, "24h") }),
      answer: EndpointHistory,
      errors: BAD,
    },
  },
  "/endpoints/[endpoint]/learned-week": {
    GET: { summary: "Read whether the week of an endpoint is learned", answer: LearnedWeekSwitch },
  },
  "/endpoints/[endpoint]/runs": {
    GET: {
      summary: "List the recorded runs of an endpoint",
      query: z.object({
        status: z.enum(RUN_FILTERS).optional().describe("Outcome; omitted: all."),
        sort: z.enum(RUN_SORTS).optional().describe("Default `started`."),
        order: z.enum(["asc", "desc"]).optional().describe("Default `desc`."),
        ...paging(100),
      }),
      answer: RunPage,
      errors: BAD,
    },
  },
  "/expectations": {
    GET: {
      summary: "List planned quiet times",
      query: z.object({
        state: z.enum(["open", "over"]).optional().describe("Default `open`."),
        ...paging(200),
      }),
      answer: ExpectationsView,
      isConditional: true,
      errors: BAD,
    },
    POST: {
      summary: "Plan a quiet time",
      body: ExpectationRequest,
      answer: Expectation,
      status: 201,
      errors: GONE,
    },
  },
  "/expectations/[id]": {
    DELETE: { summary: "End a quiet time now", answer: "nothing", status: 204 },
  },
  "/history": {
    GET: {
      summary: "Read the last 24 hours of every endpoint",
      query: z.object({ range: range(["24h"], "24h") }),
      answer: BoardHistory,
      isConditional: true,
      errors: BAD,
    },
  },
  "/incidents": {
    GET: {
      summary: "List the incidents of a company: open ones first, worst first",
      query: z.object(incidents),
      answer: IncidentsView,
      isConditional: true,
      errors: BAD,
    },
  },
  "/incidents/csv": {
    GET: {
      summary: "Export the incidents of a company, 10,000 at most",
      query: z.object({ ...ofIncidents, q: optional(SEARCH) }),
      answer: "csv",
      errors: BAD,
    },
  },
  "/incidents/[id]": {
    GET: { summary: "Read an incident with its timeline", answer: IncidentView },
  },
  "/incidents/[id]/acknowledgement": {
    PUT: {
      summary: "Acknowledge an incident",
      body: Acknowledgement,
      answer: Incident,
      errors: GONE,
    },
    DELETE: { summary: "Withdraw the acknowledgement", answer: Incident, errors: ["conflict"] },
  },
  "/incidents/[id]/notes": {
    POST: {
      summary: "Add a note to an incident",
      body: Note,
      answer: TimelineEvent,
      status: 201,
      errors: GONE,
    },
  },
  "/incidents/[id]/owner": {
    PUT: {
      summary: "Set the owner of an incident",
      body: OwnerChange,
      answer: Incident,
      errors: GONE,
    },
  },
  "/integrations": {
    GET: {
      summary: "List the sources of schedule files, with their names",
      answer: IntegrationsView,
    },
  },
  "/last-look": {
    GET: { summary: "Read when the caller last visited the company", answer: LastLook },
  },
  "/links": {
    GET: {
      summary: "List share links of a company, newest first",
      description: "Needs the role member. Never contains the address of a link.",
      query: z.object(paging(100)),
      answer: LinksView,
      errors: BAD,
    },
  },
  "/partners/[partner]": {
    GET: {
      summary: "Read the history of a partner",
      query: z.object({ range: range(HISTORY_RANGES, "24h") }),
      answer: PartnerHistory,
      errors: BAD,
    },
  },
  "/partners/[partner]/at": {
    GET: {
      summary: "Read a partner as it was at an instant",
      query: z.object({ at: z.string().describe(INSTANT), endpoint }),
      answer: ThenView,
      errors: BAD,
    },
  },
  "/promises": {
    GET: {
      summary: "List promises to the customer, oldest first",
      query: z.object({
        endpoint: optional(
          "Id of an endpoint: only promises whose scope includes it; default: all.",
        ),
      }),
      answer: PromisesView,
      errors: BAD,
    },
  },
  "/promises/csv": { GET: { summary: "Export promises as a file to import", answer: "csv" } },
  "/promises/kept": {
    GET: {
      summary: "Read how promises were kept in a month",
      query: z.object({
        month,
        promise: optional("Id of a promise; default: all."),
        endpoint: optional("Id of an endpoint; default: all."),
        per: z
          .enum(["feed", "promise"])
          .optional()
          .describe("Days of each feed, the default, or of each promise: the worst of its feeds."),
      }),
      answer: z.union([KeptView, KeptPerPromiseView]),
      errors: BAD,
    },
  },
  "/report": {
    GET: {
      summary: "Read the on-time report of a month",
      query: z.object({ month }),
      answer: ReportView,
      errors: BAD,
    },
  },
  "/report/csv": {
    GET: {
      summary: "Export the on-time report of a month",
      query: z.object({ month }),
      answer: "csv",
      errors: BAD,
    },
  },
  "/report/days": {
    GET: {
      summary: "Read the days of a company, a partner or an endpoint",
      query: z.object({ range: range(REPORT_RANGES, "90d"), partner, endpoint }),
      answer: ReportDaysView,
      errors: BAD,
    },
  },
  "/schedule-files": {
    GET: {
      summary: "List schedule files",
      query: z.object({
        ...files,
        sort,
        ...paging(100),
      }),
      answer: ScheduleFilesView,
      errors: BAD,
    },
  },
  "/schedule-files/[id]": {
    GET: {
      summary: "Read a schedule file",
      answer: ScheduleFileView,
      errors: ["upstream_unreachable"],
    },
  },
  "/schedule-files/csv": {
    GET: {
      summary: "Export schedule files",
      description: "A conflict until all files are known.",
      query: z.object({ ...files, sort }),
      answer: "csv",
      errors: [...BAD, "conflict"],
    },
  },
  "/schedule-files/facets": {
    GET: { summary: "Read the values that schedule files can be filtered by", answer: FileFacets },
  },
  "/schedule-files/selection": {
    GET: {
      summary: "Read the ids of all files that match",
      query: z.object(files),
      answer: FileSelection,
      errors: [...BAD, "conflict"],
    },
  },
  "/schedule-projects": {
    GET: {
      summary: "List projects with the rhythm of their uploads",
      query: z.object({
        q: optional(SEARCH),
        show: z.enum(PROJECT_FILTERS).optional().describe("Only projects in this state."),
        ...paging(100),
      }),
      answer: ScheduleProjectsView,
      errors: BAD,
    },
  },
  "/sync-status": {
    GET: {
      summary: "Read the sync status of every endpoint of a company",
      description:
        "`source.confidence` says how far it can be trusted: while it is `blind`, verdicts are those of `as_of`. With `at`, what viewers saw then.",
      query: z.object({ at }),
      answer: z.union([SyncStatusView, BoardThenView]),
      isConditional: true,
      errors: BAD,
    },
  },
  "/sync-status/csv": {
    GET: {
      summary: "Export the sync status of every endpoint of a company",
      description:
        "`as_of` and `confidence` of each line say when it was true and how far to trust it.",
      query: z.object({
        q: optional(SEARCH),
        verdict: z
          .enum([...VERDICTS, "attention"])
          .optional()
          .describe("Only this verdict, or all that need attention."),
        unattended: flag("Only what needs attention and no one has acknowledged."),
        at,
      }),
      answer: "csv",
      errors: BAD,
    },
  },
};

/** Every request that API tokens may send, by address and method. */
export const DESCRIBED: Readonly<Record<string, Methods>> = {
  "/api/changes": {
    GET: {
      summary: "Read numbers of changes in all companies since an instant",
      query: z.object({ since }),
      answer: AllChangesView,
      errors: BAD,
    },
  },
  "/api/companies": {
    GET: {
      summary: "List the companies that the caller may see",
      query: z.object({ partner }),
      answer: CompaniesView,
      errors: BAD,
    },
  },
  "/api/fleet-incidents": {
    GET: {
      summary: "List incidents of one partner at several companies, latest first",
      description: "Of companies that the caller may see; those with fewer than two are left out.",
      query: z.object({
        state: z.enum(INCIDENT_STATES).optional().describe("Default open."),
        ...paging(100),
      }),
      answer: FleetIncidentsView,
      errors: BAD,
    },
  },
  "/api/fleet-incidents/[id]": {
    GET: {
      summary: "Read an incident of one partner at several companies, with its timeline",
      answer: FleetIncident,
    },
  },
  "/api/fleet-incidents/[id]/acknowledgement": {
    PUT: {
      summary: "Acknowledge the open incidents of all its companies",
      description: ACTS_ON,
      body: Acknowledgement,
      answer: FleetIncident,
      errors: GONE,
    },
    DELETE: {
      summary: "Withdraw the acknowledgements",
      description: ACTS_ON,
      answer: FleetIncident,
      errors: ["conflict"],
    },
  },
  "/api/fleet-incidents/[id]/notes": {
    POST: {
      summary: "Add a note to the latest incident of all its companies",
      description: ACTS_ON,
      body: Note,
      answer: FleetIncident,
      status: 201,
      errors: BAD,
    },
  },
  "/api/fleet-incidents/[id]/owner": {
    PUT: {
      summary: "Set the owner of the open incidents of all its companies",
      description: `${ACTS_ON} A conflict if the owner may not handle incidents of one of them.`,
      body: OwnerChange,
      answer: FleetIncident,
      errors: GONE,
    },
  },
  "/api/incidents": {
    GET: {
      summary: "List the incidents of all companies: open ones first, worst first",
      query: z.object({ ...incidents, company: optional("Slug of a company.") }),
      answer: IncidentsView,
      isConditional: true,
      errors: BAD,
    },
  },
  "/api/mcp": {
    POST: {
      summary: "Ask as an assistant, by the Model Context Protocol",
      description:
        "Streamable HTTP without sessions: one JSON-RPC message per request, and `Accept: application/json, text/event-stream`. A notification is answered with 202. Only with a token.",
      body: RpcMessage,
      answer: RpcMessage,
      errors: BAD,
    },
  },
  "/api/me": {
    GET: {
      summary: "Read who the token belongs to, and what it may see",
      description: "Service tokens aren't tied to a person, so they are refused.",
      answer: MeView,
    },
  },
  "/api/openapi.json": {
    GET: { summary: "Read this document", answer: z.looseObject({ openapi: z.string() }) },
  },
  "/api/partners": {
    GET: {
      summary: "List the partners of all companies",
      description: "Behind at most companies first.",
      query: z.object({ q: optional(SEARCH), ...paging(100) }),
      answer: PartnersView,
      errors: BAD,
    },
  },
  "/api/partners/[partner]": {
    GET: {
      summary: "Read how a partner stands at all companies",
      query: z.object({ at }),
      answer: PartnerView,
      isConditional: true,
      errors: ["invalid_request", "no_history"],
    },
  },
  "/api/partners/[partner]/days": {
    GET: {
      summary: "Read how a partner's time was spent on this month's closed days, at all companies",
      query: z.object({ at }),
      answer: PartnerDaysView,
      errors: BAD,
    },
  },
  "/api/partners/[partner]/paragraphs": {
    GET: {
      summary: "Read what to tell each company where a partner is behind",
      answer: ParagraphsView,
    },
  },
  "/api/partners/[partner]/paragraphs/csv": {
    GET: {
      summary: "Download what to tell each company where a partner is behind",
      answer: "csv",
    },
  },
  "/api/today": {
    GET: {
      summary: "Read what needs attention now",
      query: z.object({
        partner,
        owner: optional("Id of the person who owns the company."),
        mine: flag("Only the caller's."),
        unattended: flag("Only what no one is on."),
        verdict: optional(`Verdicts, separated by commas: ${TROUBLES.join(", ")}.`),
        q: optional(SEARCH),
        at,
      }),
      answer: TodayView,
      isConditional: true,
      errors: BAD,
    },
  },
  ...Object.fromEntries(
    Object.entries(OF_COMPANY).map(([rest, methods]) => [
      `/api/companies/[company]${rest}`,
      methods,
    ]),
  ),
};
