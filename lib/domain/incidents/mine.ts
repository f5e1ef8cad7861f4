import type { Period } from "@/lib/domain/history";

/** Owner and stand-in of a company over time; instants are epoch milliseconds. */
export type Care = {
  /** Null: the administrators. */
  ownerId: string | null;
  /** When `ownerId` became the owner; null: not recorded, so they count as the owner throughout. */
  ownerSinceMs: number | null;
  /** Null: no stand-in. */
  standIn: (Period & { id: string }) | null;
};

/** People responsible for an incident and its company at an instant, by id; null: none. */
export type Hands = {
  ownerId: string | null;
  /** Who acknowledged it. */
  acknowledgedById: string | null;
  /** Owner of its company. */
  companyOwnerId: string | null;
  /** Stand-in for that owner at the instant. */
  standInId: string | null;
};

/** Whether an incident is a person's own: they own it, acknowledged it, own its company or stand in for its owner. */
export function isMine(personId: string, hands: Hands): boolean {
  const { ownerId, acknowledgedById, companyOwnerId, standInId } = hands;
  return [ownerId, acknowledgedById, companyOwnerId, standInId].includes(personId);
}

/** Owner and stand-in of a company at a moment, epoch milliseconds; null where there is none then. */
export function companyHandsAt(
  { ownerId, ownerSinceMs, standIn }: Care,
  atMs: number,
): Pick<Hands, "companyOwnerId" | "standInId"> {
  const isStandingIn = standIn !== null && standIn.fromMs <= atMs && atMs < standIn.untilMs;
  return {
    companyOwnerId: ownerSinceMs === null || ownerSinceMs <= atMs ? ownerId : null,
    standInId: isStandingIn ? standIn.id : null,
  };
}

/** When a person owns a company or stands in for its owner, in no particular order; the periods may overlap. */
export function carePeriods({ ownerId, ownerSinceMs, standIn }: Care, personId: string): Period[] {
  const owned =
    ownerId === personId ? [{ fromMs: ownerSinceMs ?? -Infinity, untilMs: Infinity }] : [];
  return standIn?.id === personId ? [...owned, standIn] : owned;
}

/**
 * Whether a person may hand over an incident: it is theirs and no colleague owns it, or they are an administrator and
 * it has no owner at all.
 */
export function isHandable(
  personId: string,
  hands: Hands,
  { isAdministrator }: { isAdministrator: boolean },
): boolean {
  const { ownerId, acknowledgedById, companyOwnerId, standInId } = hands;
  if (ownerId !== null) return ownerId === personId;
  if (isMine(personId, hands)) return true;
  return (
    [acknowledgedById, companyOwnerId, standInId].every((id) => id === null) && isAdministrator
  );
}

/**
 * Whether a person may hand over a company: they own it or stand in for its owner, or they are an administrator and it
 * has no owner.
 */
export function isHandableCompany(
  personId: string,
  { companyOwnerId, standInId }: Pick<Hands, "companyOwnerId" | "standInId">,
  { isAdministrator }: { isAdministrator: boolean },
): boolean {
  if ([companyOwnerId, standInId].includes(personId)) return true;
  return companyOwnerId === null && standInId === null && isAdministrator;
}
