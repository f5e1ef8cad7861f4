import { and, eq, isNotNull, isNull, lt, or, sql } from "drizzle-orm";
import type { Database, Orm, Transaction } from "@/lib/server/store/database";
import { resealAll, type Resealed, type Resealing } from "@/lib/server/store/reseal";
import { recoveryCodes, secondFactors } from "@/lib/server/store/schema/people";

/** A person's authenticator app. `onSince` null: enrolment isn't confirmed yet. */
export type SecondFactorRow = {
  sealed: string;
  onSince: Date | null;
  recoveryCodesLeft: number;
};

/** @returns null: there is none */
export async function readSecondFactor(
  orm: Orm,
  personId: string,
): Promise<SecondFactorRow | null> {
  const [row] = await orm
    .select({
      sealed: secondFactors.sealed,
      onSince: secondFactors.onSince,
      recoveryCodesLeft: sql<number>`(${orm
        .select({ count: sql`count(*)::int` })
        .from(recoveryCodes)
        .where(eq(recoveryCodes.personId, personId))})`,
    })
    .from(secondFactors)
    .where(eq(secondFactors.personId, personId));
  return row ?? null;
}

/**
 * Stores the secret of an enrolment, in place of an earlier unconfirmed one.
 * @returns false: an authenticator app is on already
 */
export async function startSecondFactor(
  orm: Orm,
  personId: string,
  sealed: string,
): Promise<boolean> {
  const started = await orm
    .insert(secondFactors)
    .values({ personId, sealed })
    .onConflictDoUpdate({
      target: secondFactors.personId,
      set: { sealed, lastStep: null },
      setWhere: isNull(secondFactors.onSince),
    })
    .returning({ personId: secondFactors.personId });
  return started.length > 0;
}

/**
 * Turns an enrolled authenticator app on.
 * @param confirmed.sealed the enrolment's secret, as read
 * @param confirmed.step of the code that confirms it, which can't be used again
 * @param confirmed.nowMs on the database clock, epoch milliseconds
 * @returns false: another enrolment replaced it meanwhile, or it is on already
 */
export async function confirmSecondFactor(
  tx: Transaction,
  personId: string,
  confirmed: { sealed: string; step: number; nowMs: number },
): Promise<boolean> {
  const turnedOn = await tx
    .update(secondFactors)
    .set({ onSince: new Date(confirmed.nowMs), lastStep: confirmed.step })
    .where(
      and(
        eq(secondFactors.personId, personId),
        eq(secondFactors.sealed, confirmed.sealed),
        isNull(secondFactors.onSince),
      ),
    )
    .returning({ personId: secondFactors.personId });
  return turnedOn.length > 0;
}

/** Turns the authenticator app off, or ends its enrolment. @returns whether it was on */
export async function removeSecondFactor(tx: Transaction, personId: string): Promise<boolean> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.personId, personId));
  const [removed] = await tx
    .delete(secondFactors)
    .where(eq(secondFactors.personId, personId))
    .returning({ onSince: secondFactors.onSince });
  return (removed?.onSince ?? null) !== null;
}

/**
 * Uses up the codes of a time step and of those before it. Only one of several concurrent attempts succeeds.
 * @returns false: they were used up already
 */
export async function consumeStep(orm: Orm, personId: string, step: number): Promise<boolean> {
  const used = await orm
    .update(secondFactors)
    .set({ lastStep: step })
    .where(
      and(
        eq(secondFactors.personId, personId),
        isNotNull(secondFactors.onSince),
        or(isNull(secondFactors.lastStep), lt(secondFactors.lastStep, step)),
      ),
    )
    .returning({ personId: secondFactors.personId });
  return used.length > 0;
}

/**
 * Uses up a recovery code. Only one of several concurrent attempts succeeds.
 * @param id see `recoveryCodeId`
 * @returns false: unknown, or used already
 */
export async function consumeRecoveryCode(
  orm: Orm,
  personId: string,
  id: string,
): Promise<boolean> {
  const used = await orm
    .delete(recoveryCodes)
    .where(and(eq(recoveryCodes.personId, personId), eq(recoveryCodes.id, id)))
    .returning({ id: recoveryCodes.id });
  return used.length > 0;
}

/** Replaces all of a person's recovery codes. @param ids see `recoveryCodeId` */
export async function replaceRecoveryCodes(
  tx: Transaction,
  personId: string,
  ids: readonly string[],
): Promise<void> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.personId, personId));
  await tx.insert(recoveryCodes).values(ids.map((id) => ({ id, personId })));
}

/**
 * Re-encrypts the secret of every authenticator app with the current secret, except those changed meanwhile.
 * @param sealOf the seal of one person's secret
 */
export async function resealSecondFactors(
  { orm }: Pick<Database, "orm">,
  sealOf: (personId: string) => Resealing,
): Promise<Resealed> {
  const rows = await orm
    .select({ personId: secondFactors.personId, sealed: secondFactors.sealed })
    .from(secondFactors);
  return resealAll(
    rows,
    ({ personId }) => sealOf(personId),
    async ({ personId, sealed: before }, sealed) => {
      await orm
        .update(secondFactors)
        .set({ sealed })
        .where(and(eq(secondFactors.personId, personId), eq(secondFactors.sealed, before)));
    },
  );
}
