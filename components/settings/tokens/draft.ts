import type { ResumableDialog } from "@/lib/client/resumable-dialog";
import { isRecord } from "@/lib/client/snapshot";
import type { ServiceTokenRequest, TokenRequest } from "@/lib/contracts/tokens";
import { DEFAULT_DAYS } from "@/lib/domain/tokens/limits";

/** The dialog that creates a token, stored during a redirect to the identity provider. */
export const TOKENS_DIALOG = "tokens";

/** Scope of a personal token, or a service token, which belongs to no person. */
export const TOKEN_KINDS = ["read", "act", "service"] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

/** Draft of a new token; `companies`: slugs. */
export type TokenDraft = {
  name: string;
  kind: TokenKind;
  companies: "all" | readonly string[];
  days: number;
};
export const NEW_TOKEN: TokenDraft = {
  name: "",
  kind: "read",
  companies: "all",
  days: DEFAULT_DAYS,
};

/** Request for a personal token, or null if the draft is of a service token. */
export function requestOf({ kind, companies, ...rest }: TokenDraft): TokenRequest | null {
  if (kind === "service") return null;
  return { ...rest, scope: kind, companies: companies === "all" ? companies : [...companies] };
}

/** Request for a service token, whose companies are named: all of them become those of now. */
export function serviceRequestOf(
  { name, companies, days }: TokenDraft,
  all: readonly { slug: string }[],
): ServiceTokenRequest {
  const named = companies === "all" ? all.map(({ slug }) => slug) : [...companies];
  return { name, companies: named, days };
}

/** The draft to restore. */
export function keptToken(draft: TokenDraft): ResumableDialog {
  return { kind: TOKENS_DIALOG, state: draft };
}

/** @param state stored in this browser, maybe by another version of the page */
export function isTokenDraft(state: unknown): state is TokenDraft {
  return (
    isRecord(state) &&
    typeof state["name"] === "string" &&
    TOKEN_KINDS.some((kind) => kind === state["kind"]) &&
    (state["companies"] === "all" || Array.isArray(state["companies"])) &&
    typeof state["days"] === "number"
  );
}
