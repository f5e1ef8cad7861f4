import { z } from "zod";
import { NamedIntegration } from "@/lib/contracts/schedule-files";
import { enteredLine } from "@/lib/domain/text/entered-text";

/** The JSON of integrations, the sources of schedule files: the API has only their numbers. Instants are ISO 8601. */

/** `PUT /api/companies/[company]/integrations/[partner_token_id]`. */
export const IntegrationRequest = z.strictObject({
  name: z.string().overwrite(enteredLine).min(1).max(60),
});

export const Integration = NamedIntegration.extend({
  /** Number of known files. */
  files: z.int(),
  /** Who named it; null: no one. */
  by: z.object({ id: z.string(), name: z.string() }).nullable(),
  at: z.string().nullable(),
});

/** `GET /api/companies/[company]/integrations`, by number: those of known files, and those with names. */
export const IntegrationsView = z.object({ data: z.array(Integration) });

export type Integration = z.infer<typeof Integration>;
export type IntegrationsView = z.infer<typeof IntegrationsView>;
