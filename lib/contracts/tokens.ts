import { z } from "zod";
import { DEFAULT_DAYS, LONGEST_NAME, MOST_DAYS } from "@/lib/domain/tokens/limits";
import { TOKEN_SCOPES } from "@/lib/domain/tokens/narrow-grants";
import { CompanyName } from "./companies/company-name";
import { enteredLine } from "@/lib/domain/text/entered-text";

/** The JSON of API tokens. Instants are ISO 8601. */

const MAX_COMPANIES = 1_000;

const Name = z.string().overwrite(enteredLine).min(1).max(LONGEST_NAME);
const Days = z.int().min(1).max(MOST_DAYS).default(DEFAULT_DAYS);
const Slugs = z.array(z.string().min(1).max(200)).min(1).max(MAX_COMPANIES);

/** `POST /api/me/tokens`. */
export const TokenRequest = z.strictObject({
  name: Name,
  scope: z.enum(TOKEN_SCOPES),
  /** Slugs, or all companies that the person may see, including future ones. */
  companies: z.union([z.literal("all"), Slugs]),
  days: Days,
});

/** `POST /api/tokens`: a service token, which only reads. */
export const ServiceTokenRequest = z.strictObject({ name: Name, companies: Slugs, days: Days });

/** Response of both, with 201. The token is only returned here. */
export const MadeToken = z.object({ id: z.uuid(), token: z.string(), expires_at: z.string() });

/**
 * `resting`: its person hasn't signed in for 30 days; `paused`: after a restore; `ended`: its person has no access any
 * more.
 */
const TOKEN_STATES = ["active", "resting", "paused", "expired", "ended"] as const;

export const TokenEntry = z.object({
  id: z.uuid(),
  name: z.string(),
  /** The last four characters of the token. */
  hint: z.string(),
  scope: z.enum(TOKEN_SCOPES),
  /** Null: all companies of its person. Companies that the caller may not see aren't listed. */
  companies: z.array(CompanyName).nullable(),
  /** Number of companies that it can read now, of those that the caller may see. */
  company_count: z.int(),
  /** Whose rights it has; null: a service token. */
  person: z.object({ name: z.string(), is_you: z.boolean() }).nullable(),
  made_by: z.object({ name: z.string(), is_you: z.boolean() }),
  created_at: z.string(),
  expires_at: z.string(),
  /** Accurate to about a minute; null: never used. */
  last_used_at: z.string().nullable(),
  /** Network of the last use, a /24 or a /48; null: never used. */
  last_network: z.string().nullable(),
  /** Number of requests, accurate to about a minute. */
  uses: z.int(),
  state: z.enum(TOKEN_STATES),
  /** When it starts to rest unless its person signs in; null: it doesn't. */
  rests_at: z.string().nullable(),
});

/** `GET /api/me/tokens`: the caller's tokens; `GET /api/tokens`: all of them. Newest first, without revoked ones. */
export const TokensView = z.object({ data: z.array(TokenEntry) });

export type TokenRequest = z.input<typeof TokenRequest>;
export type ServiceTokenRequest = z.input<typeof ServiceTokenRequest>;
export type MadeToken = z.infer<typeof MadeToken>;
export type TokenEntry = z.infer<typeof TokenEntry>;
export type TokensView = z.infer<typeof TokensView>;
