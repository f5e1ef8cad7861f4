/** In whose hands an incident and its company are at a moment; ids of people, null: no one's. */
export type Hands = {
  ownerId: string | null;
  /** Who is on it. */
  acknowledgedById: string | null;
  /** Who looks after its company, ... */
  companyOwnerId: string | null;
  /** ... and who stands in for them at that moment. */
  standInId: string | null;
};

/** Whether an incident is someone's: they own it, are on it, look after its company, or stand in there. */
export function isMine(personId: string, hands: Hands): boolean {
  const { ownerId, acknowledgedById, companyOwnerId, standInId } = hands;
  return [ownerId, acknowledgedById, companyOwnerId, standInId].includes(personId);
}

/**
 * Whether it is an incident that someone may hand over: it is theirs and no colleague owns it, or as an administrator's
 * it falls to them, because no one else has it.
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

/** Whether someone may hand over a company: they look after it or stand in there, or it falls to administrators. */
export function isHandableCompany(
  personId: string,
  { companyOwnerId, standInId }: Pick<Hands, "companyOwnerId" | "standInId">,
  { isAdministrator }: { isAdministrator: boolean },
): boolean {
  if ([companyOwnerId, standInId].includes(personId)) return true;
  return companyOwnerId === null && standInId === null && isAdministrator;
}
