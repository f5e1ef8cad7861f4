import type { TokensView } from "@/lib/contracts/tokens";
import type { Person } from "@/lib/server/auth/person";
import { listTokens } from "@/lib/server/store/tokens/api-tokens";
import { tokenView, type TokensRuntime } from "./token-view";

/** Above any realistic number of tokens; older ones aren't listed. */
const MAX_LISTED = 2_000;

/** The person's tokens, newest first: `GET /api/me/tokens`. */
export function listOwnTokens(
  runtime: TokensRuntime,
  { person }: { person: Person },
): Promise<TokensView> {
  return listed(runtime, person, person.id);
}

/** The tokens of all people, and service tokens: `GET /api/tokens`. */
export function listAllTokens(
  runtime: TokensRuntime,
  { person }: { person: Person },
): Promise<TokensView> {
  return listed(runtime, person, null);
}

async function listed(
  runtime: TokensRuntime,
  caller: Person,
  whose: string | null,
): Promise<TokensView> {
  const { tokens, isPaused } = await listTokens(runtime.database, whose, MAX_LISTED);
  const { judgedMs: nowMs } = await runtime.auth.time.now();
  return { data: tokens.map((row) => tokenView(runtime, row, { caller, nowMs, isPaused })) };
}
