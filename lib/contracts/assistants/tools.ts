import { z } from "zod";

/**
 * `POST /api/mcp`: the Model Context Protocol, Streamable HTTP without sessions. The arguments of its tools, and the
 * members that all their answers have.
 */

const company = z.string().min(1).max(100).describe("Slug of a company.");
const partner = z.string().min(1).max(1000).describe("Name of a partner, exactly as given.");
const endpoint = z.string().min(1).max(512).describe("Id of an endpoint, exactly as given.");
const at = z.string().max(40).describe("An instant, ISO 8601. As it was then; omitted: now.");
const month = z.string().max(7).describe('A month, such as "2026-10"; omitted: the current one.');
const page = z.int().min(1).max(1000).default(1).describe("Page of the items, from 1.");

export const AttentionArguments = z.strictObject({
  company: company.optional(),
  partner: partner.optional(),
  at: at.optional(),
  page,
});
export const PartnerArguments = z.strictObject({
  partner,
  company: company.optional(),
  at: at.optional(),
  page,
});
export const EndpointArguments = z.strictObject({ company, endpoint, at: at.optional(), page });
export const IncidentsArguments = z.strictObject({
  company: company.optional(),
  partner: partner.optional(),
  page,
});
export const ChangesArguments = z.strictObject({
  company: company.optional(),
  at: at.optional().describe("An instant, ISO 8601: what changed since; omitted: a day ago."),
  page,
});
export const CustomerArguments = z.strictObject({ company, partner: partner.optional(), page });
export const ReportArguments = z.strictObject({
  company,
  month: month.optional(),
  partner: partner.optional().describe("Its endpoints instead of all partners."),
  page,
});
export const CallsArguments = z.strictObject({
  company,
  partner: partner.optional().describe("Its endpoints instead of all partners."),
  page,
});
export const FilesArguments = z.strictObject({ company, page });

/** A message of JSON-RPC, as the protocol describes it. */
export const RpcMessage = z.looseObject({ jsonrpc: z.literal("2.0") });
