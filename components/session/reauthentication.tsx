"use client";

import { useQuery } from "@tanstack/react-query";
import { useId, useState, type FormEvent } from "react";
import AlertDialog from "@/components/ui/alert-dialog";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/form/field";
import { useZone } from "@/components/shell/time/zone";
import { ApiError, statusOf } from "@/lib/client/api";
import { storeResumableDialog, type ResumableDialog } from "@/lib/client/resumable-dialog";
import { readMe, reauthenticate } from "@/lib/client/queries/me";
import { proofAddress } from "@/lib/client/session/sign-in";
import { useNow } from "@/lib/client/use-now";
import { instantMs } from "@/lib/domain/time/instant";
import { duration } from "@/lib/domain/words/format";
import { atMoment } from "@/lib/domain/words/dates";
import { CodeField } from "./code-field";
import { proofProblem, reauthentication as words } from "./words";

/** Reauthentication before an irreversible action, shown over that action's dialog. */
export type Reauthentication = {
  /** The action that needs it: "delete a baseline". */
  act: string;
  /** A sentence that it hasn't happened: "Nothing has been deleted yet." */
  untouched: string;
  /** State of the dialog below, to restore after signing in at the identity provider. */
  kept: () => ResumableDialog;
  onProven: () => void;
  onBack: () => void;
};

/** Reauthenticates the signed-in person without leaving the page. Default export for `lazyPart`. */
export default function ReauthenticationDialog(reauthentication: Reauthentication) {
  const { act, untouched, kept, onProven, onBack } = reauthentication;
  const timeZone = useZone();
  const form = useId();
  const { data, error } = useQuery({
    queryKey: ["me", "proof"],
    queryFn: ({ signal }) => readMe(signal),
    gcTime: 0,
  });
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  /** The field that the problem is about. */
  const [wrongField, setWrongField] = useState<"password" | "code">("password");
  const [isCodeMissing, setIsCodeMissing] = useState(false);
  const person = data?.person ?? null;
  const provenMs = instantMs(
    data?.sessions.find(({ current }) => current)?.authenticated_at ?? null,
  );
  const provenAt = useNow((nowMs) =>
    provenMs === null ? null : atMoment(provenMs, nowMs, timeZone),
  );
  const provider = person?.provider ?? null;
  const needsCode = isCodeMissing || (data?.local?.second_factor ?? null) !== null;

  const prove = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const { elements } = event.currentTarget;
    const fieldOf = (name: "password" | "code") =>
      elements.namedItem(name) as HTMLInputElement | null;
    setIsBusy(true);
    setProblem(null);
    try {
      await reauthenticate(fieldOf("password")?.value ?? "", fieldOf("code")?.value ?? null);
      onProven();
    } catch (failure) {
      const code = failure instanceof ApiError ? failure.code : null;
      const wrong = code === "wrong_code" || code === "code_required" ? "code" : "password";
      setIsCodeMissing(isCodeMissing || code === "code_required");
      setWrongField(wrong);
      setProblem(problemOf(failure));
      setIsBusy(false);
      fieldOf(wrong)?.select();
    }
  };
  const goToProvider = async () => {
    if (person === null) return;
    setIsBusy(true);
    setProblem(null);
    const { pathname, search, hash } = window.location;
    const address = await proofAddress(pathname + search + hash);
    if (address === null) {
      setProblem(proofProblem(0, null, null));
      setIsBusy(false);
      return;
    }
    const place = { pathname, search };
    const here = { personId: person.id, place, nowMs: Date.now() };
    storeResumableDialog(window.sessionStorage, kept(), here);
    window.location.assign(address);
  };

  return (
    <AlertDialog
      title={
        <span className="flex items-center gap-[9px]">
          <Lock />
          {words.title}
        </span>
      }
      closeLabel={words.back}
      onClose={onBack}
      isInner
      isBusy={isBusy}
      actions={
        person === null ? null : person.kind === "local" ? (
          <Button type="submit" form={form} look="primary" isBusy={isBusy}>
            {isBusy ? words.confirming : words.confirm}
          </Button>
        ) : (
          <Button look="primary" isBusy={isBusy} onClick={() => void goToProvider()}>
            {words.goOn(provider)}
          </Button>
        )
      }
    >
      <p className="mt-1.5 text-ink-2">
        {words.why(act, provenAt)} {untouched}
      </p>
      {person === null ? null : person.kind === "local" ? (
        <form id={form} onSubmit={(event) => void prove(event)} className="mt-3">
          <input
            type="email"
            name="username"
            autoComplete="username"
            value={person.email}
            readOnly
            hidden
          />
          <Field
            label={words.password(person.email)}
            name="password"
            type="password"
            autoComplete="current-password"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog's first field
            autoFocus
            required
            maxLength={1000}
            problem={wrongField === "password" ? problem : null}
          />
          {needsCode ? (
            <CodeField problem={wrongField === "code" ? problem : null} isFocused={isCodeMissing} />
          ) : null}
        </form>
      ) : (
        <p className="mt-3 text-ink-2">{words.provider(provider)}</p>
      )}
      <p role="alert" className="mt-2 text-xs text-failing-text empty:hidden">
        {person === null
          ? error === null
            ? null
            : problemOf(error)
          : person.kind === "local"
            ? null
            : problem}
      </p>
      {person?.kind === "local" ? (
        <p role="alert" className="sr-only">
          {problem}
        </p>
      ) : null}
    </AlertDialog>
  );
}

function problemOf(failure: unknown): string {
  const isSaid = failure instanceof ApiError;
  const seconds = isSaid ? failure.retryAfterSeconds : null;
  // Rounded up, so that a retry after it can succeed.
  const wait = seconds === null ? null : duration(Math.ceil(seconds / 60) * 60_000);
  return proofProblem(statusOf(failure), isSaid ? failure.code : null, wait);
}

function Lock() {
  return (
    <svg width="13" height="13" viewBox="0 0 16 16" aria-hidden="true" className="shrink-0">
      <rect x="3" y="7" width="10" height="7.5" fill="currentColor" />
      <path
        d="M5.2 7V4.6a2.8 2.8 0 0 1 5.6 0V7"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.7"
      />
    </svg>
  );
}
