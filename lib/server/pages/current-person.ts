import { cookies, headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { Failure } from "@/lib/contracts/failure";
import { getRuntime } from "@/lib/server/running";
import { currentAddress } from "./page-address";
import { clientAddress } from "@/lib/server/http/front-headers";
import { signInAddress } from "@/lib/server/http/own-path";
import { canSee, canSeeLeft, type Person } from "@/lib/server/auth/person";
import { partnerKey } from "@/lib/domain/partners/partner-name";
import { hasRight, hasRightSomewhere } from "@/lib/domain/rights";
import { settingsPages } from "@/lib/domain/words/settings-pages";

/**
 * The signed-in person of this page; null without a session. Read once per render.
 * @throws Failure `unavailable` when the database is unavailable and the session isn't cached
 */
export async function currentPerson(): Promise<Person | null> {
  return (await currentSession())?.person ?? null;
}

/** Same with the session. */
export const currentSession = cache(async () => {
  const jar = await cookies();
  const address = clientAddress(await headers());
  const identity = await getRuntime().auth.identify((name) => jar.get(name)?.value, true, address);
  if (identity.state === "unavailable") {
    throw new Failure("unavailable", "We can't check your session right now.");
  }
  return identity.state === "known" ? identity : null;
});

/**
 * The signed-in person of this page; others are redirected to sign in, and return to this address.
 */
export async function requirePerson(): Promise<Person> {
  const person = await currentPerson();
  if (person) return person;
  return redirect(signInAddress(await currentAddress()));
}

/** A person as the menu of every page needs them. */
export function menuPerson({ name, email, grants }: Person) {
  return {
    name,
    email,
    settings: settingsPages(grants),
  };
}

/** Whether a person may delete files of a company that they see; never of one that has left. */
export function mayDeleteFiles(
  { grants }: Person,
  { slug, hasLeft }: { slug: string; hasLeft: boolean },
): boolean {
  return hasRight(grants, "delete-files", slug) && !hasLeft;
}

/**
 * Whether a person may share a company's data with people without an account; never of one that has
 * left.
 */
export function mayShareLinks(
  { grants }: Person,
  { slug, hasLeft }: { slug: string; hasLeft: boolean },
): boolean {
  return hasRight(grants, "share-links", slug) && !hasLeft;
}

/** Whether a person may share data of any company. */
export function mayShareSomewhere({ grants }: Person): boolean {
  return hasRightSomewhere(grants, "share-links");
}

/** Whether a person may manage channels. */
export function mayManageChannels({ grants }: Person): boolean {
  return hasRight(grants, "manage-channels", null);
}

/** Whether a person may manage notification rules. */
export function mayManageRules({ grants }: Person): boolean {
  return hasRight(grants, "manage-rules", null);
}

/** Whether a person handles incidents of any company, and so may have alerts. */
export function mayHaveAlerts({ grants }: Person): boolean {
  return hasRightSomewhere(grants, "handle-incidents");
}

/** Whether a person may manage the connections, and resume paused features. */
export function mayManageConnections({ grants }: Person): boolean {
  return hasRight(grants, "manage-connections", null);
}

/** The companies that a person may see, in configuration order. */
export function visibleCompanies(person: Person): { slug: string; name: string }[] {
  return getRuntime()
    .connections.filter(({ company }) => canSee(person, company))
    .map(({ company, name }) => ({ slug: company, name }));
}

/** Slugs of the companies whose incidents a person may handle. */
export function handledCompanies(person: Person): string[] {
  return visibleCompanies(person).flatMap(({ slug }) =>
    hasRight(person.grants, "handle-incidents", slug) ? [slug] : [],
  );
}

/** The partners of the companies that a person may see, without duplicates, sorted. */
export function visiblePartners(person: Person): string[] {
  const { snapshots } = getRuntime();
  const names = visibleCompanies(person).flatMap(({ slug }) =>
    (snapshots.get(slug)?.rows ?? []).map(({ partner_name }) => partner_name),
  );
  return [...new Set(names)].toSorted((a, b) => a.localeCompare(b, "en"));
}

/** Number of companies that a person may see and that have the partner, by their latest snapshots. */
export function customersWith(person: Person, partner: string): number {
  const { snapshots } = getRuntime();
  const key = partnerKey(partner);
  return visibleCompanies(person).filter(({ slug }) =>
    snapshots.get(slug)?.rows.some(({ partner_name: name }) => partnerKey(name) === key),
  ).length;
}

/** `hasLeft`: it is no longer connected, and only its record can be seen. */
type PageCompany = { slug: string; name: string; hasLeft: boolean };

/** A company as this person sees it; null alike for a missing and for an inaccessible one. */
export function companyOf(person: Person, slug: string): PageCompany | null {
  const company = visibleCompanies(person).find((visible) => visible.slug === slug);
  if (company) return { ...company, hasLeft: false };
  const left = canSeeLeft(person) ? getRuntime().leftCompanies.get(slug) : null;
  return left === null ? null : { slug, name: left.name, hasLeft: true };
}

/**
 * The person and the company of a page under `/[company]`. Redirects to sign-in without a session;
 * a missing and an inaccessible company are equally "not found".
 */
export async function requireCompany(
  slug: string,
): Promise<{ person: Person; company: PageCompany }> {
  const person = await requirePerson();
  return { person, company: companyOf(person, slug) ?? notFound() };
}
