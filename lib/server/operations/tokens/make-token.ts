import { randomUUID } from "node:crypto";
import { Failure } from "@/lib/contracts/failure";
import { ServiceTokenRequest, TokenRequest, type MadeToken } from "@/lib/contracts/tokens";
import { hasRight, hasRightSomewhere } from "@/lib/domain/rights";
import { DAY_MS } from "@/lib/domain/time/units";
import type { TokenScope } from "@/lib/domain/tokens/narrow-grants";
import { canSee, type Person } from "@/lib/server/auth/person";
import { secretHash } from "@/lib/server/auth/secret";
import { newApiToken } from "@/lib/server/auth/tokens/token-form";
import { invalid, notValid } from "@/lib/server/http/query";
import { insertToken } from "@/lib/server/store/tokens/api-tokens";
import type { TokensRuntime } from "./token-view";
import { CANNOT_ACT, NOT_OF_TOKENS, NOT_YOURS, TOO_MANY_TOKENS } from "./words";

/** Valid tokens of one person, and service tokens. */
export const MAX_TOKENS = 50;
const HINT_CHARACTERS = 4;

type Given = { person: Person; address: string; body: unknown };

/**
 * Creates a token of the person: `POST /api/me/tokens`. Only this response contains it.
 * @param given.address the client's true address
 * @throws Failure `invalid_request`; `forbidden` to act without the right; `conflict` after too many
 */
export function makeToken(runtime: TokensRuntime, given: Given): Promise<MadeToken> {
  const parsed = TokenRequest.safeParse(given.body);
  if (!parsed.success) throw notValid(parsed.error, NOT_OF_TOKENS);
  const { name, scope, days } = parsed.data;
  const { grants, id } = given.person;
  const companies = parsed.data.companies === "all" ? null : parsed.data.companies;
  requireVisible(runtime, given.person, companies);
  const mayAct =
    companies === null
      ? hasRightSomewhere(grants, "handle-incidents")
      : companies.every((company) => hasRight(grants, "handle-incidents", company));
  if (scope === "act" && !mayAct) throw new Failure("forbidden", CANNOT_ACT);
  return insert(runtime, given, { name, scope, companies, days, personId: id });
}

/**
 * Creates a service token, which belongs to no person and only reads: `POST /api/tokens`. Only this response contains
 * it.
 * @throws Failure `invalid_request`; `conflict` after too many
 */
export function makeServiceToken(runtime: TokensRuntime, given: Given): Promise<MadeToken> {
  const parsed = ServiceTokenRequest.safeParse(given.body);
  if (!parsed.success) throw notValid(parsed.error, NOT_OF_TOKENS);
  requireVisible(runtime, given.person, parsed.data.companies);
  return insert(runtime, given, { ...parsed.data, scope: "read", personId: null });
}

/** Same for missing and inaccessible companies. */
function requireVisible(
  { connections }: Pick<TokensRuntime, "connections">,
  person: Person,
  companies: readonly string[] | null,
): void {
  const isVisible = (slug: string) =>
    connections.some(({ company }) => company === slug) && canSee(person, slug);
  if (companies?.every(isVisible) === false) throw invalid("companies", NOT_YOURS);
}

async function insert(
  { database, auth, clock, securityLog }: TokensRuntime,
  { person, address }: Given,
  token: {
    name: string;
    scope: TokenScope;
    companies: readonly string[] | null;
    days: number;
    personId: string | null;
  },
): Promise<MadeToken> {
  const secret = newApiToken();
  const { ms } = await auth.time.now();
  const { id, name, email } = person;
  const made = await insertToken(
    database,
    {
      tokenHash: secretHash(secret),
      hint: secret.slice(-HINT_CHARACTERS),
      name: token.name,
      scope: token.scope,
      companies: token.companies && [...new Set(token.companies)],
      personId: token.personId,
      madeBy: id,
      createdAt: new Date(ms),
      expiresAt: new Date(ms + token.days * DAY_MS),
    },
    MAX_TOKENS,
    { person: { id, name, email }, requestId: randomUUID(), nowMs: clock.nowMs() },
  );
  if (made === null) throw new Failure("conflict", TOO_MANY_TOKENS);
  securityLog.record("api_token_made", { address, person }, { token: made.id });
  return { id: made.id, token: secret, expires_at: made.expiresAt.toISOString() };
}
