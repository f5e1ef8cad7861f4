import { z } from "zod";
import { ROLES } from "@/lib/domain/rights";
import { checkedList } from "./checked-list";

/** The JSON of people and what they may do. Instants are ISO 8601. */

/** What somebody is made: a role at one company (its slug) or (null) at all of them. */
export const GivenGrant = z.object({ role: z.enum(ROLES), company: z.string().nullable() });

/** Why somebody is what they are. */
export const Because = z.discriminatedUnion("kind", [
  /** `by` is null: Plumbline itself, at its first start. */
  z.object({ kind: z.literal("hand"), by: z.string().nullable(), at: z.string() }),
  /** `rule` counts from 1; `value` is the one of the claim's that matched. */
  z.object({ kind: z.literal("rule"), rule: z.int(), claim: z.string(), value: z.string() }),
]);

export const PersonEntry = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  kind: z.enum(["local", "oidc"]),
  /** The local account of `ADMIN_EMAIL`. */
  is_first_administrator: z.boolean(),
  /** Those given by hand first; those of rules cannot be changed here. */
  grants: z.array(GivenGrant.extend({ because: Because })),
  status: z.enum(["active", "invited", "disabled"]),
  /** When an unused link to choose a password ends; null: there is none. */
  link_expires_at: z.string().nullable(),
  created_at: z.string(),
  disabled_at: z.string().nullable(),
  /** When they last used a session of the last 30 days; null: not seen since. */
  last_seen_at: z.string().nullable(),
  /** How many are open. */
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
  /** Of everybody, whatever is asked for. */
  counts: z.object({ active: z.int(), invited: z.int(), disabled: z.int() }),
});

const Name = z.string().trim().min(1).max(80);
const Grants = checkedList(GivenGrant, { least: 0, most: 200 });

/** `POST /api/people`. */
export const Invitation = z.object({
  name: Name,
  email: z.string().trim().toLowerCase().max(254).pipe(z.email()),
  grants: Grants,
});

/** `PATCH /api/people/[id]`; what is left out stays. `grants` replaces all that were given by hand. */
export const PersonChange = z.object({
  name: Name.optional(),
  grants: Grants.optional(),
  disabled: z.boolean().optional(),
});

/** What became of mailing something; `off`: no mail server is set up, `unknown`: it went silent while it took it. */
export const MAILED = ["off", "accepted", "failed", "unknown"] as const;

/** A link by which somebody chooses a password, once. It is told only here, and in the mail. */
export const PasswordLink = z.object({
  url: z.string(),
  expires_at: z.string(),
  mailed: z.enum(MAILED),
});

/** Answers `POST /api/people`, with 201. */
export const Invited = z.object({ id: z.uuid(), invitation: PasswordLink });

/** Why a password is not taken for what it is. */
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

/** Why a password was not taken. */
export const PASSWORD_PROBLEMS = [...WEAKNESSES, "different", "limited", "unavailable"] as const;

/** What a link leads to. `missing`: there is none, it was taken back, or its person is disabled. */
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
