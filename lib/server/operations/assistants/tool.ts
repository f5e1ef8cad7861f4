import type { z } from "zod";
import { Failure } from "@/lib/contracts/failure";
import type { CompanyName } from "@/lib/domain/companies/company-name";
import type { NotChecked, ToolAnswer } from "@/lib/domain/assistants/tool-answer";
import { companyTrust } from "@/lib/domain/assistants/trust-words";
import { narrowGrants } from "@/lib/domain/tokens/narrow-grants";
import { sourceReasonSentence } from "@/lib/domain/words/source-sentences";
import type { SourceReason } from "@/lib/domain/sync";
import { canSee, type Person } from "@/lib/server/auth/person";
import { toWebResponse, type PlainResponse } from "@/lib/server/http/handler-response";
import { idMember } from "@/lib/server/operations/connections/external-id";
import type { listRuns } from "@/lib/server/operations/history/list-runs";
import type { getPartnerAt } from "@/lib/server/operations/history/get-partner-at";
import type { getApiCalls } from "@/lib/server/operations/history/get-api-calls";
import type { listScheduleFiles } from "@/lib/server/operations/files/list-schedule-files";
import type { ChangesRuntime } from "@/lib/server/operations/incidents/get-changes";
import type { listAllIncidents } from "@/lib/server/operations/incidents/list-incidents";
import type { PartnersRuntime } from "@/lib/server/operations/partners/get-partner";
import type { getReport } from "@/lib/server/operations/report/get-report";
import { syncStatusView } from "@/lib/server/operations/sync/get-sync-status";
import { NO_COMPANY } from "./words";

/** All that the operations behind the tools use. */
export type ToolsRuntime = PartnersRuntime &
  ChangesRuntime &
  Parameters<typeof syncStatusView>[0] &
  Parameters<typeof listRuns>[0] &
  Parameters<typeof getPartnerAt>[0] &
  Parameters<typeof getApiCalls>[0] &
  Parameters<typeof listScheduleFiles>[0] &
  Parameters<typeof listAllIncidents>[0] &
  Parameters<typeof getReport>[0];

export type ToolContext = {
  runtime: ToolsRuntime;
  /** The token's person, or its service token; for a tool, limited to the company that was asked about. */
  person: Person;
  /** Origin of links. */
  origin: string;
};

/** `anywhere`: the person without the limit to the company that was asked about. */
type AskedContext = ToolContext & { anywhere: Person };

/** A question that assistants may ask. It changes nothing. */
export type Tool = {
  name: string;
  title: string;
  description: string;
  arguments: z.ZodObject;
  /** @throws ZodError for wrong arguments, Failure */
  answer: (context: ToolContext, given: unknown) => Promise<ToolAnswer>;
};

/** Arguments of a tool that may be, or always is, about one company. */
type OfCompany = z.ZodObject<{ company: z.ZodType<string | undefined> }>;

/**
 * A tool. Before it answers, the person is limited to the company that was asked about, whose external id the answer has.
 * @param answer gets the arguments parsed
 */
export function tool<Arguments extends OfCompany>(
  { arguments: schema, ...named }: Omit<Tool, "answer" | "arguments"> & { arguments: Arguments },
  answer: (context: AskedContext, given: z.output<Arguments>) => Promise<ToolAnswer>,
): Tool {
  return {
    ...named,
    arguments: schema,
    async answer(context, given) {
      const asked = schema.parse(given);
      const { company } = asked;
      const person = within(context, company);
      const answered = await answer({ ...context, person, anywhere: context.person }, asked);
      const id = company === undefined ? {} : idMember(context.runtime.connections, company);
      return { ...answered, facts: { ...id, ...answered.facts } };
    },
  };
}

/**
 * A person who sees one company only.
 * @param company slug; undefined: everything that they see
 * @throws Failure `not_found`, identical for missing and inaccessible companies
 */
function within({ runtime, person }: ToolContext, company: string | undefined): Person {
  if (company === undefined) return person;
  const isKnown = runtime.connections.some((connection) => connection.company === company);
  if (!isKnown || !canSee(person, company)) throw new Failure("not_found", NO_COMPANY);
  return { ...person, grants: narrowGrants(person.grants, [company]) };
}

/** A company in an item of an answer. */
export const companyMembers = ({ slug, name, external_id: id }: CompanyName) => ({
  company: slug,
  company_name: name,
  ...(id !== undefined && { external_id: id }),
});

/** Query parameters; undefined ones are left out. */
export function queryOf(given: Readonly<Record<string, string | number | undefined>>) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) query.set(name, String(value));
  }
  return query;
}

/** Address of a page; undefined parameters are left out. */
export function linkTo(
  { origin }: Pick<ToolContext, "origin">,
  path: string,
  given: Parameters<typeof queryOf>[0] = {},
): string {
  const query = String(queryOf(given));
  return `${origin}${path}${query === "" ? "" : `?${query}`}`;
}

/** The JSON of an operation's answer. */
export async function jsonOf<T>(answer: PlainResponse): Promise<T> {
  return (await toWebResponse(answer).json()) as T;
}

/** A company as of now: how far it can be trusted, and what of it isn't checked. */
export function companyNow(
  { runtime }: Pick<ToolContext, "runtime">,
  company: string,
): Pick<ToolAnswer, "as_of" | "confidence"> & { notChecked: NotChecked[] } {
  const { as_of: asOf, source } = syncStatusView(runtime, company);
  const nowMs = runtime.clock.nowMs();
  const asOfMs = asOf === null ? null : Date.parse(asOf);
  const unseen = { what: "This company", why: whyUnseen(source.reason, nowMs), since: asOf };
  return {
    as_of: asOf,
    confidence: companyTrust({ confidence: source.confidence, asOfMs }, nowMs),
    notChecked: source.confidence === "blind" ? [unseen] : [],
  };
}

/** @param reason null: not known */
export function whyUnseen(reason: SourceReason | null, nowMs: number): string {
  return reason === null
    ? "We can't see it now."
    : sourceReasonSentence(reason, { resetMs: null, nowMs, timeZone: "UTC" });
}
