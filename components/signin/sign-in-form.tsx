"use client";

import { useRef, useState, type FormEvent } from "react";
import { flushSync } from "react-dom";
import { CodeField } from "@/components/session/code-field";
import { codeWords } from "@/components/session/words";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/form/field";
import { formProblem, FormFields, type FormProblem } from "@/components/ui/form/field-problem";
import { invalidFields } from "@/components/ui/form/invalid-field";
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
  const form = useRef<HTMLFormElement>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<FormProblem | null>(null);
  /** The account whose password was correct, and that needs a code too; null: not yet. */
  const [account, setAccount] = useState<string | null>(null);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const { currentTarget } = event;
    const invalid = formProblem(invalidFields(currentTarget));
    if (invalid !== null) return setProblem(invalid);
    const fields = new FormData(currentTarget);
    setIsBusy(true);
    setProblem(null);
    const email = textOf(fields, "email");
    const result = await signIn({
      email,
      password: textOf(fields, "password"),
      code: textOf(fields, "code"),
    });
    if (result.ok) {
      // A full load, because the next page must be rendered for this person. The `#...` is
      // preserved.
      window.location.assign(callbackPath + window.location.hash);
      return;
    }
    setIsBusy(false);
    if (result.reason === "code_required") {
      setAccount(email);
      return;
    }
    setProblem(
      problemText(result, { providerName: providerName ?? "", hasCode: account !== null }),
    );
    // The password may have been changed meanwhile.
    if (result.reason === "credentials") flushSync(() => setAccount(null));
    const isCode = currentTarget.querySelector("[name=code]") !== null;
    const next = isCode ? "[name=code]" : "[name=password]";
    currentTarget.querySelector<HTMLInputElement>(next)?.focus();
  };
  const startOver = () => {
    setProblem(null);
    flushSync(() => setAccount(null));
    form.current?.reset();
    form.current?.querySelector<HTMLInputElement>("[name=email]")?.focus();
  };

  return (
    <form
      ref={form}
      data-way="local"
      onSubmit={(event) => void submit(event)}
      method="post"
      // What is wrong stands at its field.
      noValidate
    >
      <FormFields problem={problem} className="">
        <div hidden={account !== null}>
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
        </div>
        {account === null ? null : (
          <>
            <p className="mb-3 text-xs text-ink-2">
              {formWords.account(account)}{" "}
              <button type="button" className="underline underline-offset-3" onClick={startOver}>
                {formWords.startOver}
              </button>
            </p>
            <CodeField problem={null} isFocused />
          </>
        )}
      </FormFields>
      <Button
        type="submit"
        look={providerName === null ? "primary" : "plain"}
        size="large"
        className="mt-3"
        isBusy={isBusy}
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

function problemText(
  result: Exclude<SignInResult, { ok: true }>,
  { providerName, hasCode }: { providerName: string; hasCode: boolean },
): string {
  switch (result.reason) {
    case "credentials":
      return problems.credentials;
    case "code_required":
    case "wrong_code":
      return codeWords.wrong;
    case "limited":
      return problems.limited(result.retryAfterSeconds, hasCode);
    case "closed":
      return problems.closed(providerName);
    case "unreachable":
      return problems.unreachable;
  }
}
