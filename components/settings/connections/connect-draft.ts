import type { z } from "zod";
import type { ResumableDialog } from "@/lib/client/resumable-dialog";
import { isRecord } from "@/lib/client/snapshot";
import type { CheckRequest, CheckStep, ConnectRequest } from "@/lib/contracts/connections";
import { isCompanySlug } from "@/lib/domain/company-slug";
import { foldText } from "@/lib/domain/text/fold-text";

/** The form of a new connection, stored during a redirect to the identity provider. */
export const CONNECT_FORM = "connect";

/** A new connection as typed. */
export type ConnectDraft = {
  name: string;
  /** Null: proposed from the name. */
  slug: string | null;
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  /** IANA name; null: the installation's. */
  timeZone: string | null;
  /** A person's id; null: the administrators. */
  owner: string | null;
  externalId: string;
};

export const NEW_DRAFT: ConnectDraft = {
  name: "",
  slug: null,
  baseUrl: "",
  clientId: "",
  clientSecret: "",
  timeZone: null,
  owner: null,
  externalId: "",
};

export type DraftField = Exclude<keyof ConnectDraft, "timeZone" | "owner">;

const LONGEST_SLUG = 40;
/** A shorter first word says too little. */
const SHORTEST_WORD = 3;

/**
 * The address proposed for a company: its name's first word if that is free, else the whole name.
 * @param taken slugs in use
 * @returns empty if nothing can be proposed
 */
export function proposedSlug(name: string, taken: ReadonlySet<string>): string {
  const words = foldText(name)
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  const [first = ""] = words;
  const whole = words.join("-").slice(0, LONGEST_SLUG).replace(/-$/, "");
  const candidates = first.length < SHORTEST_WORD ? [whole] : [first, whole];
  return candidates.find((slug) => isCompanySlug(slug) && !taken.has(slug)) ?? "";
}

/** The slug to use. */
export const slugOf = ({ slug, name }: ConnectDraft, taken: ReadonlySet<string>): string =>
  slug ?? proposedSlug(name, taken);

/** What is wrong with a field; null: nothing. "empty": it is required. */
export type Problem = "empty" | "invalid" | "taken" | "environment" | null;

/** Problem of each field that has one. Those of `fields` only. */
export function problemsOf(
  draft: ConnectDraft,
  taken: ReadonlySet<string>,
  fields: readonly DraftField[],
): Partial<Record<DraftField, Problem>> {
  const found = fields.map((field) => [field, problemOf(draft, taken, field)] as const);
  return Object.fromEntries(found.filter(([, problem]) => problem !== null));
}

function problemOf(draft: ConnectDraft, taken: ReadonlySet<string>, field: DraftField): Problem {
  if (field === "slug") {
    const slug = slugOf(draft, taken);
    if (slug === "") return "empty";
    if (!isCompanySlug(slug)) return "invalid";
    return taken.has(slug) ? "taken" : null;
  }
  const text = draft[field].trim();
  if (field === "externalId") return null;
  if (text === "") return "empty";
  if (field === "clientSecret" && text.startsWith("env:")) return "environment";
  return field === "baseUrl" && !isPlainUrl(text) ? "invalid" : null;
}

function isPlainUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return ["http:", "https:"].includes(protocol) && username + password + search + hash === "";
}

/** What a check needs. */
export const CHECKED_FIELDS = ["baseUrl", "clientId", "clientSecret"] as const;
/** What connecting needs. */
export const ALL_FIELDS = ["name", "slug", ...CHECKED_FIELDS] as const;

export const checkRequestOf = ({
  baseUrl,
  clientId,
  clientSecret,
}: ConnectDraft): CheckRequest => ({
  base_url: baseUrl.trim(),
  client_id: clientId.trim(),
  client_secret: clientSecret.trim(),
});

export function connectRequestOf(
  draft: ConnectDraft,
  taken: ReadonlySet<string>,
): z.input<typeof ConnectRequest> {
  const { name, timeZone, owner, externalId } = draft;
  const external = externalId.trim();
  return {
    slug: slugOf(draft, taken),
    name: name.trim(),
    ...checkRequestOf(draft),
    ...(timeZone !== null && { time_zone: timeZone }),
    ...(owner !== null && { owner }),
    ...(external !== "" && { external_id: external }),
  };
}

/** Whether two drafts would be checked alike. */
export function isCheckedAlike(a: ConnectDraft, b: ConnectDraft): boolean {
  return JSON.stringify(checkRequestOf(a)) === JSON.stringify(checkRequestOf(b));
}

/** Number of scopes that the API didn't grant. */
export function missingScopes(steps: readonly CheckStep[]): number {
  const scopes = steps.find(({ step }) => step === "scopes")?.detail.scopes ?? [];
  return scopes.filter(({ granted }) => !granted).length;
}

/** The form to restore. The browser never stores the secret. */
export function keptForm(draft: ConnectDraft): ResumableDialog {
  return { kind: CONNECT_FORM, state: { ...draft, clientSecret: "" } };
}

/** @param state stored in this browser, maybe by another version of the page */
export function isConnectDraft(state: unknown): state is ConnectDraft {
  const isText = (value: unknown) => typeof value === "string";
  return (
    isRecord(state) &&
    ["name", "baseUrl", "clientId", "clientSecret", "externalId"].every((key) =>
      isText(state[key]),
    ) &&
    ["slug", "timeZone", "owner"].every((key) => state[key] === null || isText(state[key]))
  );
}
