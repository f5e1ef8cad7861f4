import { z } from "zod";
import { TROUBLES } from "@/lib/domain/incidents/incident";
import { SOURCE_REASONS } from "@/lib/domain/sync";
import { LearnedWeekFacts } from "./endpoint/learned-week";
import { RowPromise } from "./row-promise";
import type { Today } from "@/lib/domain/today/today";
import { CompanyName } from "./companies/company-name";

/** The JSON of the first page. Instants are ISO 8601; see `Today` for what the fields mean. */

const Instant = z.string().nullable();
const OnIt = z.object({ name: z.string(), since: z.string() }).nullable();

const Trouble = z.object({
  verdict: z.enum(TROUBLES),
  last_updated_at: Instant,
  overdue_since: Instant,
  next_sync_at: Instant,
  on_it: OnIt,
  learned_week: LearnedWeekFacts.nullable(),
});

const Member = Trouble.extend({
  company: CompanyName,
  endpoint_id: z.string(),
  endpoint_key: z.string(),
  incident_id: z.int().nullable(),
  told_at: Instant,
  promise: RowPromise.nullable(),
});

const LinePromise = z.object({
  company: CompanyName,
  endpoint_key: z.string(),
  promise: RowPromise,
});

const Line = Trouble.extend({
  kind: z.enum(["partner", "incident", "endpoint"]),
  partner_name: z.string(),
  since: Instant,
  attended: z.object({ of: z.int(), by: z.array(z.string()) }),
  promise: LinePromise.nullable(),
  members: z.array(Member),
});

const Counts = z.object({
  endpoints: z.int(),
  judged: z.int(),
  behind: z.int(),
  companies_behind: z.int(),
  unattended: z.int(),
  cannot_judge: z.int(),
  delayed: z.int(),
  quiet: z.int(),
  unseen_companies: z.int(),
  next_attempt_at: Instant,
});

/** `GET /api/today?partner&owner&mine&unattended&verdict&q&at`. */
export const TodayView: z.ZodType<Today> = z.object({
  as_of: Instant,
  counts: Counts,
  promises: z.object({
    missed: z.int(),
    at_risk: z.int(),
    first: LinePromise.extend({ partner_name: z.string(), endpoint_id: z.string() }).nullable(),
  }),
  lines: z.array(Line),
  well: z.array(
    z.object({
      company: CompanyName,
      on_time: z.int(),
      counted: z.int(),
      next_sync_at: Instant,
      last_check_at: Instant,
      owner: z.object({ id: z.string(), name: z.string() }).nullable(),
      stand_in: z.object({ id: z.string(), name: z.string() }).nullable(),
    }),
  ),
  cannot_judge: z.array(z.object({ company: CompanyName, endpoints: z.int() })),
  unseen: z.array(
    z.object({
      company: CompanyName,
      since: Instant,
      reason: z.enum(SOURCE_REASONS).nullable(),
      behind_then: z.int(),
      endpoints: z.int(),
    }),
  ),
  api_clock_offsets: z.record(z.string(), z.number()),
  recorded_from: Instant.optional(),
});
export type TodayView = Today;
