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
  /** How a local account signs in; null: at the provider. */
  local: z
    .object({
      /** Whether the password is still the one that was printed when Plumbline first started. */
      is_password_printed: z.boolean(),
      /** The authenticator app; null: off. */
      second_factor: z.object({ on_since: z.string(), recovery_codes_left: z.int() }).nullable(),
    })
    .nullable(),
  grants: z.array(MyGrant),
  sessions: z.array(MySession),
});

/** `DELETE /api/me/sessions/[id]` and `DELETE /api/me/sessions`. */
export const EndedSessions = z.object({ ended: z.int() });

/** Of an authenticator app, or a recovery code; spaces and hyphens don't matter. */
const Code = z.string().min(1).max(100);

/** `POST /api/me/reauthentication`, for a local account. */
export const ReauthenticationRequest = z.strictObject({
  password: z.string().min(1).max(1_000),
  /** With a second factor: its code, or a recovery code. */
  code: Code.optional(),
});
export const Reauthentication = z.object({ authenticated_at: z.string() });

/** `PUT /api/me/password`, for a local account. Whether `next` is strong enough is decided by the server. */
export const PasswordChange = z.strictObject({
  current: z.string().min(1).max(1_000),
  next: z.string().min(1).max(1_000),
});
/** Its response; `ended`: number of the person's other sessions, which have ended. */
export const PasswordChanged = z.object({ ended: z.int() });

/** `POST /api/me/second-factor`, with 201: an enrolment, which a code has to confirm. Only returned here. */
export const Enrolment = z.object({
  /** Base32. */
  secret: z.string(),
  /** `otpauth://`, for a QR code. */
  uri: z.string(),
});

/** `PUT` (confirms the enrolment) and `DELETE /api/me/second-factor`. */
export const CodeRequest = z.strictObject({ code: Code });

/**
 * Response of `PUT /api/me/second-factor` and `POST /api/me/second-factor/recovery-codes`. Only returned here: hashes
 * are stored.
 */
export const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) });

export type Because = z.infer<typeof Because>;
export type MyGrant = z.infer<typeof MyGrant>;
export type MySession = z.infer<typeof MySession>;
export type MeView = z.infer<typeof MeView>;
export type PasswordChange = z.infer<typeof PasswordChange>;
export type PasswordChanged = z.infer<typeof PasswordChanged>;
export type Enrolment = z.infer<typeof Enrolment>;
export type RecoveryCodes = z.infer<typeof RecoveryCodes>;
export type EndedSessions = z.infer<typeof EndedSessions>;
export type Reauthentication = z.infer<typeof Reauthentication>;

/** Accounts of Slack that the person linked to their own. */

const SlackNames = {
  /** Names in Slack when it was linked; its ids where they are unknown. */
  workspace: z.string(),
  user: z.string(),
};

export const SlackAccount = z.object({ id: z.uuid(), ...SlackNames, linked_at: z.string() });

/** `GET /api/me/slack`, oldest first. */
export const SlackAccounts = z.object({ data: z.array(SlackAccount) });

/** `POST /api/me/slack`: the secret of a one-time link. `confirm` false: only says whose it is. */
export const SlackLinkRequest = z.strictObject({
  token: z.string().regex(/^[\w-]{43}$/),
  confirm: z.boolean(),
});

/** Its response; `linked`: whether the account is linked now. */
export const SlackLinked = z.object({ ...SlackNames, linked: z.boolean() });

export type SlackAccount = z.infer<typeof SlackAccount>;
export type SlackAccounts = z.infer<typeof SlackAccounts>;
export type SlackLinked = z.infer<typeof SlackLinked>;
