import type { Period } from "@/lib/domain/history";

/** Owner and stand-in of a company over time; instants are epoch milliseconds. */
export type Care = {
  /** Null: the administrators. */
  ownerId: string | null;
  /** When `ownerId` became the owner; null: not recorded, so they count as the owner throughout. */
  ownerSinceMs: number | null;
  /** Ascending, without overlaps; see `standInsOf`. */
  standIns: readonly StandIn[];
};

/** A person's period as the stand-in. */
export type StandIn = Period & { id: string };

/** Who stands in when: of periods that overlap, the first given one counts, and the others go on before and after it. */
export function standInsOf(given: readonly StandIn[]): StandIn[] {
  const changesMs = given
    .flatMap(({ fromMs, untilMs }) => [fromMs, untilMs])
    .toSorted((a, b) => a - b);
  const found: StandIn[] = [];
  for (const [index, fromMs] of changesMs.entries()) {
    const untilMs = changesMs[index + 1] ?? fromMs;
    const id = given.find((one) => isWithin(one, fromMs))?.id;
    if (id === undefined || untilMs === fromMs) continue;
    const last = found.at(-1);
    const goesOn = last?.id === id && last.untilMs === fromMs;
    if (goesOn) found.pop();
    found.push({ id, fromMs: goesOn ? last.fromMs : fromMs, untilMs });
  }
  return found;
}

/** The stand-in at a moment, epoch milliseconds. */
export function standInAt({ standIns }: Pick<Care, "standIns">, atMs: number): StandIn | null {
  return standIns.find((one) => isWithin(one, atMs)) ?? null;
}

function isWithin({ fromMs, untilMs }: Period, atMs: number): boolean {
  return fromMs <= atMs && atMs < untilMs;
}

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
  { ownerId, ownerSinceMs, standIns }: Care,
  atMs: number,
): Pick<Hands, "companyOwnerId" | "standInId"> {
  return {
    companyOwnerId: ownerSinceMs === null || ownerSinceMs <= atMs ? ownerId : null,
    standInId: standInAt({ standIns }, atMs)?.id ?? null,
  };
}

/**
 * Whether an incident is the stand-in's once its hand-over is over: it came from the company's owner, for whom they stand
 * in. Otherwise it is whose it was.
 * @param lentById who handed it over; null: a stand-in of a company without an owner had it
 */
export function goesToStandIn(
  lentById: string | null,
  { companyOwnerId, standInId }: Pick<Hands, "companyOwnerId" | "standInId">,
): boolean {
  return standInId !== null && lentById === companyOwnerId;
}

/** When a person owns a company or stands in for its owner, in no particular order; the periods may overlap. */
export function carePeriods({ ownerId, ownerSinceMs, standIns }: Care, personId: string): Period[] {
  const owned =
    ownerId === personId ? [{ fromMs: ownerSinceMs ?? -Infinity, untilMs: Infinity }] : [];
  return [...owned, ...standIns.filter(({ id }) => id === personId)];
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
