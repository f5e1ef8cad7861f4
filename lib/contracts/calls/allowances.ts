import { z } from "zod";
import {
  ALLOWANCE_PERIODS,
  LONGEST_ALLOWANCE_NOTE,
  MAX_ALLOWED_CALLS,
} from "@/lib/domain/calls/allowance";
import { enteredText } from "@/lib/domain/text/entered-text";

/** The JSON of allowances: how many API calls a partner permits for a company. Instants are ISO 8601, on our clock. */

/** `PUT /api/companies/[company]/allowances/[partner]`. */
export const AllowanceChange = z.strictObject({
  calls: z.int().min(1).max(MAX_ALLOWED_CALLS),
  per: z.enum(ALLOWANCE_PERIODS),
  note: z
    .string()
    .overwrite(enteredText)
    .max(LONGEST_ALLOWANCE_NOTE)
    .nullable()
    .default(null)
    .transform((note) => (note === "" ? null : note)),
});

export const Allowance = z.object({
  partner_name: z.string(),
  calls: z.int(),
  per: z.enum(ALLOWANCE_PERIODS),
  note: z.string().nullable(),
  /** Who entered it; the name is from then. */
  by: z.object({ id: z.uuid(), name: z.string() }),
  at: z.string(),
});

/** `GET .../allowances`: all that are entered, by partner. */
export const AllowancesView = z.object({ data: z.array(Allowance) });

export type AllowanceChange = z.input<typeof AllowanceChange>;
export type Allowance = z.infer<typeof Allowance>;
export type AllowancesView = z.infer<typeof AllowancesView>;
