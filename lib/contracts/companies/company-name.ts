import { z } from "zod";

/** Beside the slug of a company. */
export const ExternalId = z
  .string()
  .optional()
  .describe("The company's id in another system, such as a CRM; absent: it has none.");

/** A company wherever JSON names it. */
export const CompanyName = z.object({
  slug: z.string(),
  name: z.string(),
  external_id: ExternalId,
});
