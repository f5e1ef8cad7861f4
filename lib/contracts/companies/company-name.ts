import { z } from "zod";

/** Its id in another system, such as a CRM; absent: it has none. Also stands beside a slug alone. */
export const ExternalId = z.string().optional();

/** A company wherever JSON names it. */
export const CompanyName = z.object({
  slug: z.string(),
  name: z.string(),
  external_id: ExternalId,
});
