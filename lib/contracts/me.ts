import { z } from "zod";
import { ROLES } from "@/lib/domain/rights";

/** The JSON of the signed-in person. Instants are ISO 8601. */

/** Origin of a grant: given by a person, or by a rule that matched the provider's claims. */
export const Because = z.discriminatedUnion("by", [
  z.object({
    by: z.literal("hand"),
    /** Null: Plumbline itself, as the first administrator. */
    person: z.string().nullable(),
    at: z.string(),
  }),
  z.object({
    by: z.literal("rule"),
    /** Its position in `ACCESS_FILE`, from 1. */
    rule: z.int(),
    claim: z.string(),
    /** The value that matched. */
    value: z.string(),
  }),
]);

export const MyGrant = z.object({
  /** Slug; null: all companies, including future ones. */
  company: z.string().nullable(),
  role: z.enum(ROLES),
  because: Because,
});

export const MySession = z.object({
  id: z.uuid(),
  /** Whether it is the session of this request. */
  current: z.boolean(),
  /** For example "Firefox on Windows"; empty: unknown. */
  browser: z.string(),
  /** Address of the sign-in. */
  address: z.string(),
  created_at: z.string(),
  /** Last use, accurate to about five minutes. */
  seen_at: z.string(),
  ends_at: z.string(),
  /** When the person last authenticated; null: their provider didn't say. */
  authenticated_at: z.string().nullable(),
});

/** `GET /api/me`. */
export const MeView = z.object({
  person: z.object({
    id: z.uuid(),
    name: z.string(),
    email: z.string(),
    kind: z.enum(["local", "oidc"]),
    /** Display name of the sign-in provider; null: a local account. */
    provider: z.string().nullable(),
  }),
  grants: z.array(MyGrant),
  sessions: z.array(MySession),
});

/** `DELETE /api/me/sessions/[id]` and `DELETE /api/me/sessions`. */
export const EndedSessions = z.object({ ended: z.int() });

/** `POST /api/me/reauthentication`, for a local account. */
export const ReauthenticationRequest = z.strictObject({ password: z.string().min(1).max(1_000) });
export const Reauthentication = z.object({ authenticated_at: z.string() });

export type Because = z.infer<typeof Because>;
export type MyGrant = z.infer<typeof MyGrant>;
export type MySession = z.infer<typeof MySession>;
export type MeView = z.infer<typeof MeView>;
export type EndedSessions = z.infer<typeof EndedSessions>;
export type Reauthentication = z.infer<typeof Reauthentication>;
