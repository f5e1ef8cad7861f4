import { z } from "zod";
import { STANDINGS } from "@/lib/domain/partners/partner-at-company";
import { EVIDENCE_KINDS, OWNERS_OF_TROUBLE } from "@/lib/domain/partners/theirs-or-ours";
import { VERDICTS } from "@/lib/domain/sync";
import { ExternalId } from "@/lib/contracts/companies/company-name";
import { LearnedWeekFacts } from "@/lib/contracts/endpoint/learned-week";
import { FleetIncident } from "@/lib/contracts/fleet-incidents";
import { DayCell, ReportDay } from "@/lib/contracts/report";
import { PageMeta } from "@/lib/contracts/schedule-files";

/**
 * The JSON of partners over all companies that the caller may see; a company is its slug. Instants are ISO 8601, on the
 * clock of the company's API, except those of checks and people, which are on ours.
 */

const Instant = z.string().nullable();
/** Of the time that could be checked on this month's closed days; null: none was. */
const OnTimeMonth = z.number().min(0).max(100).nullable();

/** Numbers are of companies. */
const PartnerSummary = z.object({
  /** As most companies write it. */
  partner_name: z.string(),
  companies: z.int(),
  behind: z.int(),
  /** Seen, but with nothing that can be judged. */
  cannot_judge: z.int(),
  /** Seen, with nothing behind but feeds in trouble in a planned quiet time. */
  quiet: z.int(),
  unseen: z.int(),
  /** When the first trouble started; null: nothing is behind. */
  since: Instant,
  /** The earliest next sync of a feed that is behind; null: none is scheduled. */
  next_sync_at: Instant,
  on_time_month: OnTimeMonth,
});

/** `GET /api/partners?q&page&per_page`: behind at most companies first. */
export const PartnersView = z.object({ data: z.array(PartnerSummary), meta: PageMeta });

const PartnerCompany = z.object({
  company: z.string(),
  external_id: ExternalId,
  confidence: z.enum(["live", "delayed", "blind"]),
  standing: z.enum(STANDINGS),
  /** The worst that counts; null: the company isn't seen. */
  verdict: z.enum(VERDICTS).nullable(),
  /** Worst first; of a company that isn't seen, as last seen. */
  endpoints: z.array(
    z.object({ id: z.string(), endpoint_key: z.string(), verdict: z.enum(VERDICTS) }),
  ),
  /** Number of endpoints in trouble in a planned quiet time, which don't count as behind. */
  quiet: z.int(),
  since: Instant,
  overdue_since: Instant,
  /** Of the endpoint that is overdue since then: time in it isn't overdue. Null: it has none. */
  learned_week: LearnedWeekFacts.nullable(),
  /** The earliest of the endpoints that are behind; where none is, of all. Null: none is scheduled, or it isn't seen. */
  next_sync_at: Instant,
  incident_id: z.int().nullable(),
  on_it: z.object({ name: z.string(), since: z.string() }).nullable(),
  /** Who last noted on the incident that the customer was told, and when; null: no one. */
  told: z.object({ by: z.string().nullable(), at: z.string() }).nullable(),
  owner: z.object({ id: z.string(), name: z.string() }).nullable(),
  on_time_month: OnTimeMonth,
  last_check_at: Instant,
});

/** `GET /api/partners/[partner]?at`: its companies, behind first. */
export const PartnerView = z.object({
  partner_name: z.string(),
  /** The oldest snapshot of the companies that are seen; null: none is. */
  as_of: Instant,
  companies: z.array(PartnerCompany),
  /**
   * The day of the view's instant at its companies, in the time zones of their reports, ascending: days of its month
   * before it count in `on_time_month`.
   */
  on_time_before: z.array(ReportDay),
  /** Companies that were never checked, so it isn't known whether they have the partner. */
  never_checked: z.array(z.string()),
  theirs_or_ours: z.object({
    code: z.enum(OWNERS_OF_TROUBLE),
    evidence: z.array(
      z.object({ kind: z.enum(EVIDENCE_KINDS), hit: z.int(), of: z.int(), text: z.string() }),
    ),
  }),
  /** Null: none is open, or it affects fewer than two companies that the caller may see. */
  fleet_incident: FleetIncident.nullable(),
  /** The API's clock minus ours, milliseconds, of companies where it is a second or more. */
  api_clock_offsets: z.record(z.string(), z.number()),
});

/** `GET /api/partners/[partner]/days?at`: this month's closed days, at each company that has the partner. */
export const PartnerDaysView = z.object({
  data: z.array(
    z.object({
      company: z.string(),
      external_id: ExternalId,
      /** The first of the month, in the time zone of the company's reports. */
      from: ReportDay,
      /** Cells of that day and those after it, up to the last closed one. Null also where nothing is recorded. */
      days: z.array(DayCell),
    }),
  ),
});

/** `GET /api/partners/[partner]/paragraphs`: of each company where the partner is behind. */
export const ParagraphsView = z.object({
  data: z.array(z.object({ company: z.string(), external_id: ExternalId, text: z.string() })),
});

export type PartnerSummary = z.infer<typeof PartnerSummary>;
export type PartnersView = z.infer<typeof PartnersView>;
export type PartnerCompany = z.infer<typeof PartnerCompany>;
export type PartnerView = z.infer<typeof PartnerView>;
export type PartnerDaysView = z.infer<typeof PartnerDaysView>;
export type ParagraphsView = z.infer<typeof ParagraphsView>;
