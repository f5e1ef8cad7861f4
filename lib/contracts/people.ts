import { z } from "zod";
import { ROLES } from "@/lib/domain/rights";
import { checkedList } from "./checked-list";
import { enteredLine } from "@/lib/domain/text/entered-text";

/** The JSON of people and their rights. Instants are ISO 8601. */

/** A grant to give: a role at one company (its slug) or (null) at all of them. */
export const GivenGrant = z.object({ role: z.enum(ROLES), company: z.string().nullable() });

/** Origin of a grant. */
export const Because = z.discriminatedUnion("kind", [
  /** `by` null: Plumbline itself, at its first start. */
  z.object({ kind: z.literal("hand"), by: z.string().nullable(), at: z.string() }),
  /** `rule` counts from 1; `value` is the claim value that matched. */
  z.object({ kind: z.literal("rule"), rule: z.int(), claim: z.string(), value: z.string() }),
]);

export const PersonEntry = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  kind: z.enum(["local", "oidc"]),
  /** Whether it is the local account of `ADMIN_EMAIL`. */
  is_first_administrator: z.boolean(),
  /** Whether signing in also requires a code. */
  has_second_factor: z.boolean(),
  /** Manual grants first; those of rules can't be changed here. */
  grants: z.array(GivenGrant.extend({ because: Because })),
  status: z.enum(["active", "invited", "disabled"]),
  /** Expiry of an unused link to choose a password; null: there is none. */
  link_expires_at: z.string().nullable(),
  created_at: z.string(),
  disabled_at: z.string().nullable(),
  /** Last use of a session of the last 30 days; null: none. */
  last_seen_at: z.string().nullable(),
  /** Number of open sessions. */
  sessions: z.int(),
});

/** `GET /api/people?page&per_page&q&which`. */
export const PeopleView = z.object({
  data: z.array(PersonEntry),
  meta: z.object({
    page: z.int(),
    per_page: z.int(),
    total_count: z.int(),
    total_pages: z.int(),
  }),
  /** Of all people, regardless of filters. */
  counts: z.object({ active: z.int(), invited: z.int(), disabled: z.int() }),
});

const Name = z.string().overwrite(enteredLine).min(1).max(80);
const Grants = checkedList(z.strictObject(GivenGrant.shape), { min: 0, max: 200 });

/** `POST /api/people`. */
export const Invitation = z.strictObject({
  name: Name,
  email: z.string().trim().toLowerCase().max(254).pipe(z.email()),
  grants: Grants,
});

/** `PATCH /api/people/[id]`; omitted members remain unchanged. `grants` replaces all manual grants. */
export const PersonChange = z.strictObject({
  name: Name.optional(),
  grants: Grants.optional(),
  disabled: z.boolean().optional(),
});

/**
 * Result of sending a mail; `off`: no mail server is configured, `unknown`: the server stopped responding during
 * delivery.
 */
export const MAILED = ["off", "accepted", "failed", "unknown"] as const;

/** A one-time link to choose a password. Only returned here, and in the mail. */
export const PasswordLink = z.object({
  url: z.string(),
  expires_at: z.string(),
  mailed: z.enum(MAILED),
});

/** Response of `POST /api/people`, with 201. */
export const Invited = z.object({ id: z.uuid(), invitation: PasswordLink });

/** Why a password is too weak. */
export const WEAKNESSES = [
  "short",
  "long",
  "own-words",
  "common",
  "repeated",
  "row",
  "date",
  "guessable",
] as const;

/** Why a password was rejected. */
export const PASSWORD_PROBLEMS = [
  ...WEAKNESSES,
  "unchanged",
  "different",
  "limited",
  "unavailable",
] as const;

/** State of a password link. `missing`: it doesn't exist, was withdrawn, or its person is disabled. */
export type LinkState =
  | { state: "open"; purpose: "invitation" | "reset"; name: string; email: string }
  | { state: "used" | "expired" | "missing" };

export type Weakness = (typeof WEAKNESSES)[number];
export type PasswordProblem = (typeof PASSWORD_PROBLEMS)[number];
export type GivenGrant = z.infer<typeof GivenGrant>;
export type Because = z.infer<typeof Because>;
export type PersonEntry = z.infer<typeof PersonEntry>;
export type PeopleView = z.infer<typeof PeopleView>;
export type Invitation = z.infer<typeof Invitation>;
export type PersonChange = z.infer<typeof PersonChange>;
export type PasswordLink = z.infer<typeof PasswordLink>;
export type Invited = z.infer<typeof Invited>;
