"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { Proof } from "@/components/session/proof";
import { problemIn, refusedFor, type Refused } from "@/components/session/refused";
import { useZone } from "@/components/shell/time/zone";
import { Button } from "@/components/ui/button";
import { useSending } from "@/components/ui/form/use-sending";
import { lazyPart } from "@/components/ui/lazy-part";
import { ApiError } from "@/lib/client/api";
import {
  changePassword,
  confirmSecondFactor,
  renewRecoveryCodes,
  startSecondFactor,
  turnOffSecondFactor,
} from "@/lib/client/queries/me";
import type { Enrolment, MeView, PasswordChange } from "@/lib/contracts/me";
import { instantMs } from "@/lib/domain/time/instant";
import { dayMonthYear } from "@/lib/domain/words/dates";
import { SettingNote, SettingRow } from "./setting-row";
import {
  passwordDialog,
  proofWords,
  refusal,
  renewDialog,
  signInWords as words,
  turnOffDialog,
} from "./words";

const PasswordDialog = lazyPart(() => import("./password-dialog"));
const SetUpDialog = lazyPart(() => import("./set-up-dialog"));
const TurnOffDialog = lazyPart(() => import("./turn-off-dialog"));
const CodesDialog = lazyPart(() => import("./codes-dialog"));
const ConfirmDialog = lazyPart(() => import("@/components/resource/confirm-dialog"));

type Open =
  | { kind: "password" | "renew" | "off" }
  | { kind: "set-up"; enrolment: Enrolment }
  | { kind: "codes"; codes: readonly string[] };

const NO_RESPONSE = { status: 0, code: null, description: null };

/** Which field of a dialog a failure is about, by its code. */
const FIELDS: Readonly<Record<string, string>> = {
  weak_password: "next",
  wrong_password: "current",
  wrong_code: "code",
};

/** Nothing is restored, because local accounts never leave for a provider. */
const kept = () => ({ kind: "me", state: null });

/**
 * How the person signs in: password and authenticator app.
 * @param local null: at the provider
 */
export function SignIn({
  email,
  local,
  provider,
}: {
  email: string;
  local: MeView["local"];
  provider: string | null;
}) {
  const client = useQueryClient();
  const timeZone = useZone();
  const [dialog, setDialog] = useState<Open | null>(null);
  /** What was done, by the setting. */
  const [said, setSaid] = useState<{ password?: string; twoStep?: string }>({});
  const close = () => setDialog(null);
  /** Runs a change, then opens the dialog it resolves to, if any. */
  const attempt = async (change: () => Promise<Open | null>): Promise<Refused | null> => {
    try {
      setDialog(await change());
      return null;
    } catch (error) {
      return refusedFor(error, (failed) => {
        const told = failed instanceof ApiError ? failed : NO_RESPONSE;
        return { problem: refusal(told), field: FIELDS[told.code ?? ""] };
      });
    }
  };
  const starting = useSending(() =>
    attempt(async () => ({ kind: "set-up", enrolment: await startSecondFactor() })),
  );
  const savePassword = (change: PasswordChange) =>
    attempt(async () => {
      setSaid({ password: passwordDialog.done(await changePassword(client, change)) });
      return null;
    });
  const confirm = (code: string) =>
    attempt(async () => ({ kind: "codes", codes: await confirmSecondFactor(client, code) }));
  const turnOff = (code: string) =>
    attempt(async () => {
      await turnOffSecondFactor(client, code);
      setSaid({ twoStep: turnOffDialog.done });
      return null;
    });
  const renew = () =>
    attempt(async () => ({ kind: "codes", codes: await renewRecoveryCodes(client) }));

  const factor = local?.second_factor ?? null;
  return (
    <section className="panel border-t-0 pb-0" aria-labelledby="sign-in-title">
      <header>
        <h2 id="sign-in-title">{words.title}</h2>
      </header>
      {local === null ? (
        <p className="border-y border-line py-2.5 text-xs/4.5 text-ink-2">
          {words.elsewhere(provider)}
        </p>
      ) : (
        <>
          <SettingRow label={words.password}>
            <Button onClick={() => setDialog({ kind: "password" })}>{words.changePassword}</Button>
            {local.is_password_printed ? <SettingNote>{words.printed}</SettingNote> : null}
            <Said>{said.password}</Said>
          </SettingRow>
          <SettingRow label={words.twoStep}>
            {factor === null ? (
              <>
                <Button isBusy={starting.isBusy} onClick={() => void starting.send()}>
                  {words.setUp}
                </Button>
                <SettingNote>{words.off}</SettingNote>
              </>
            ) : (
              <>
                <Button onClick={() => setDialog({ kind: "renew" })}>{words.newCodes}</Button>
                <Button onClick={() => setDialog({ kind: "off" })}>{words.turnOff}</Button>
                <SettingNote>
                  {words.on(
                    dayMonthYear(instantMs(factor.on_since) ?? Number.NaN, timeZone),
                    factor.recovery_codes_left,
                  )}
                </SettingNote>
              </>
            )}
            <Said>{said.twoStep}</Said>
            <p role="alert" className="text-xs text-failing-text empty:hidden">
              {problemIn(starting.refused)}
            </p>
          </SettingRow>
        </>
      )}
      <Proof
        isWanted={starting.refused === "needs-reauthentication"}
        words={proofWords.setUp}
        kept={kept}
        onProven={() => void starting.send()}
        onBack={() => starting.setRefused(null)}
      />
      <Suspense>
        {dialog === null ? null : dialog.kind === "password" ? (
          <PasswordDialog email={email} onSave={savePassword} onClose={close} />
        ) : dialog.kind === "set-up" ? (
          <SetUpDialog
            enrolment={dialog.enrolment}
            kept={kept}
            onConfirm={confirm}
            onClose={close}
          />
        ) : dialog.kind === "off" ? (
          <TurnOffDialog kept={kept} onTurnOff={turnOff} onClose={close} />
        ) : dialog.kind === "codes" ? (
          <CodesDialog codes={dialog.codes} onClose={close} />
        ) : (
          <ConfirmDialog
            title={renewDialog.title}
            keep={renewDialog.keep}
            act={renewDialog.act}
            isHarmless
            proof={{ words: proofWords.renew, kept }}
            onDo={renew}
            onClose={close}
          >
            {renewDialog.sentence}
          </ConfirmDialog>
        )}
      </Suspense>
    </section>
  );
}

/** What was done, beside its button. */
function Said({ children }: { children: string | undefined }) {
  return (
    <p role="status" className="text-xs/4.5 text-ink-2 empty:hidden">
      {children}
    </p>
  );
}
