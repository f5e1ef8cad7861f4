import type { Database, Transaction } from "@/lib/server/store/database";
import type { DatabaseTime } from "@/lib/server/store/database-time";
import {
  confirmSecondFactor,
  readSecondFactor,
  replaceRecoveryCodes,
  startSecondFactor,
  consumeRecoveryCode,
  consumeStep,
} from "@/lib/server/store/people/second-factors";
import { newRecoveryCodes, recoveryCodeId } from "./recovery-codes";
import { isTotpCode, newTotpSecret, stepOfCode, totpUri } from "./totp";

/** Encrypts for storage; `open` returns null for text that `close` didn't produce. */
export type Seal = { close(text: string): string; open(sealed: string): string | null };

/** What a code was: of the authenticator app, or a recovery code. */
export type CodeKind = "app" | "recovery";

/** Codes that local accounts sign in with besides their password. Everything rejects with database errors. */
export type SecondFactors = {
  /** Null: off, also while an enrolment isn't confirmed. */
  read(personId: string): Promise<{ onSince: Date; recoveryCodesLeft: number } | null>;
  /**
   * Verifies a code and uses it up. It doesn't limit attempts: callers do.
   * @param typed as typed
   * @returns null: wrong, used before, or the person has no second factor
   */
  accept(personId: string, typed: string): Promise<CodeKind | null>;
  /**
   * Starts an enrolment, in place of an earlier unconfirmed one.
   * @returns the secret in base32 and as a URI for the app; null: a second factor is on already
   */
  start(person: { id: string; email: string }): Promise<{ secret: string; uri: string } | null>;
  /**
   * Turns the enrolled app on if the code is of it.
   * @returns new recovery codes; null: nothing is enrolled, or another enrolment replaced it meanwhile
   */
  confirm(
    tx: Transaction,
    personId: string,
    typed: string,
  ): Promise<readonly string[] | "wrong" | null>;
  /** Replaces all recovery codes. @returns the new ones */
  renewRecoveryCodes(tx: Transaction, personId: string): Promise<readonly string[]>;
};

/** @param sealOf the seal of one person's secret */
export function createSecondFactors({
  database,
  time,
  sealOf,
}: {
  database: Pick<Database, "orm">;
  time: DatabaseTime;
  sealOf: (personId: string) => Seal;
}): SecondFactors {
  async function stepOf(personId: string, sealed: string, code: string): Promise<number | null> {
    const secret = sealOf(personId).open(sealed);
    if (secret === null) return null;
    const { ms } = await time.read();
    return stepOfCode(secret, code, ms);
  }

  async function renewRecoveryCodes(tx: Transaction, personId: string) {
    const codes = newRecoveryCodes();
    await replaceRecoveryCodes(
      tx,
      personId,
      codes.map((code) => recoveryCodeId(personId, code)),
    );
    return codes;
  }

  return {
    async read(personId) {
      const row = await readSecondFactor(database.orm, personId);
      if (row === null || row.onSince === null) return null;
      return { onSince: row.onSince, recoveryCodesLeft: row.recoveryCodesLeft };
    },

    async accept(personId, typed) {
      const row = await readSecondFactor(database.orm, personId);
      if (row === null || row.onSince === null) return null;
      const code = withoutSpaces(typed);
      if (!isTotpCode(code)) {
        const id = recoveryCodeId(personId, code);
        return (await consumeRecoveryCode(database.orm, personId, id)) ? "recovery" : null;
      }
      const step = await stepOf(personId, row.sealed, code);
      if (step === null) return null;
      return (await consumeStep(database.orm, personId, step)) ? "app" : null;
    },

    async start({ id, email }) {
      const secret = newTotpSecret();
      const isStarted = await startSecondFactor(database.orm, id, sealOf(id).close(secret));
      return isStarted ? { secret, uri: totpUri(secret, email) } : null;
    },

    async confirm(tx, personId, typed) {
      const row = await readSecondFactor(tx, personId);
      if (row === null || row.onSince !== null) return null;
      const { sealed } = row;
      const step = await stepOf(personId, sealed, withoutSpaces(typed));
      if (step === null) return "wrong";
      const { ms: nowMs } = await time.now();
      const isOn = await confirmSecondFactor(tx, personId, { sealed, step, nowMs });
      return isOn ? renewRecoveryCodes(tx, personId) : null;
    },

    renewRecoveryCodes,
  };
}

/** Whether a text has the form of an authenticator app's code, and not of a recovery code. */
export function isAppCode(typed: string): boolean {
  return isTotpCode(withoutSpaces(typed));
}

/** Apps show codes in groups, and people type them so. */
function withoutSpaces(typed: string): string {
  return typed.replaceAll(/\s/g, "");
}
