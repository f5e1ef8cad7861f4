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
