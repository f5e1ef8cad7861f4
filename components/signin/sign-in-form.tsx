"use client";

import { useState, type FormEvent } from "react";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/form/field";
import { signIn, type SignInResult } from "@/lib/client/session/sign-in";
import { SIGN_IN, formWords, problems } from "./words";

/**
 * Email and password of a local account.
 * @param props.callbackPath a path of our own, checked by the server
 * @param props.providerName where most people sign in instead; null: only here
 */
export function SignInForm({
  callbackPath,
  providerName,
}: {
  callbackPath: string;
  providerName: string | null;
}) {
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const form = event.currentTarget;
    const fields = new FormData(form);
    setIsBusy(true);
    setProblem(null);
    const result = await signIn({
      email: textOf(fields, "email"),
      password: textOf(fields, "password"),
    });
    if (result.ok) {
      // A full load, because the next page must be rendered for this person. The `#...` is
      // preserved.
      window.location.assign(callbackPath + window.location.hash);
      return;
    }
    setIsBusy(false);
    setProblem(problemText(result, providerName ?? ""));
    form.querySelector<HTMLInputElement>("[name=password]")?.focus();
  };

  return (
    <form data-way="local" onSubmit={(event) => void submit(event)} method="post">
      <Field
        label={formWords.email}
        name="email"
        type="email"
        autoComplete="username"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page is this form and nothing else
        autoFocus={providerName === null}
        required
        maxLength={254}
      />
      <Field
        label={formWords.password}
        name="password"
        type="password"
        autoComplete="current-password"
        required
        maxLength={1000}
      />
      <p role="alert" className="text-xs text-failing-text empty:hidden">
        {problem}
      </p>
      <Button
        type="submit"
        look={providerName === null ? "primary" : "plain"}
        size="large"
        className="mt-3"
        disabled={isBusy}
      >
        {isBusy ? formWords.busy : SIGN_IN}
      </Button>
    </form>
  );
}

function textOf(fields: FormData, name: string): string {
  const value = fields.get(name);
  return typeof value === "string" ? value : "";
}

function problemText(result: Exclude<SignInResult, { ok: true }>, providerName: string): string {
  switch (result.reason) {
    case "credentials":
      return problems.credentials;
    case "limited":
      return problems.limited(result.retryAfterSeconds);
    case "closed":
      return problems.closed(providerName);
    case "unreachable":
      return problems.unreachable;
  }
}
