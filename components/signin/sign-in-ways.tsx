"use client";

import { useEffect, useRef, useState, type FormEvent } from "react";
import { Button } from "@/components/ui/button";
import { startProviderSignIn } from "@/lib/client/session/sign-in";
import { takeEarlySubmit } from "./early-submit";
import { SignInForm } from "./sign-in-form";
import { formWords, problems, ways } from "./words";

type Props = {
  /** A path of our own, checked by the server. */
  callbackPath: string;
  /** Null: local accounts only. */
  provider: { name: string; isAnswering: boolean } | null;
  /** Which local accounts may sign in; the first administrator always may. */
  local: "on" | "administrators" | "off";
};

/** The provider's button, then the form of a local account; most people only need the button. */
export function SignInWays({ callbackPath, provider, local }: Props) {
  const all = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const early = takeEarlySubmit();
    if (early === null) return;
    all.current?.querySelector<HTMLFormElement>(`form[data-way="${early}"]`)?.requestSubmit();
  }, []);
  const name = provider?.name ?? null;
  const form = <SignInForm callbackPath={callbackPath} providerName={name} />;
  if (provider === null) return <div ref={all}>{form}</div>;
  return (
    <div ref={all}>
      {!provider.isAnswering && (
        <p role="status" className="mb-3 text-xs text-ink-2">
          {(local === "on" ? ways.silentForAll : ways.silent)(provider.name)}
        </p>
      )}
      <ProviderForm callbackPath={callbackPath} name={provider.name} />
      {local === "on" ? (
        <>
          <div className="mt-3 mb-2 flex items-center gap-3 text-xs text-ink-3 before:h-px before:flex-1 before:bg-line-strong after:h-px after:flex-1 after:bg-line-strong">
            {ways.or}
          </div>
          {form}
        </>
      ) : (
        <details className="mt-[22px] text-xs" open={!provider.isAnswering}>
          <summary className="cursor-pointer py-1 text-ink-3">{ways.administrators}</summary>
          <div className="mt-3">{form}</div>
        </details>
      )}
    </div>
  );
}

function ProviderForm({ callbackPath, name }: { callbackPath: string; name: string }) {
  const [isBusy, setIsBusy] = useState(false);
  const [hasFailed, setHasFailed] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    setIsBusy(true);
    setHasFailed(false);
    // The fragment isn't sent to the server otherwise.
    const next = await startProviderSignIn(callbackPath + window.location.hash);
    if (next !== null) {
      window.location.assign(next);
      return;
    }
    setIsBusy(false);
    setHasFailed(true);
  };
  // After the browser's back button the page is usable again.
  useEffect(() => {
    const onShow = () => setIsBusy(false);
    window.addEventListener("pageshow", onShow);
    return () => window.removeEventListener("pageshow", onShow);
  }, []);
  return (
    <form data-way="provider" onSubmit={(event) => void submit(event)} method="post">
      <p role="alert" className="mb-2 text-xs text-failing-text empty:hidden">
        {hasFailed ? problems.unreachable : null}
      </p>
      <Button type="submit" look="primary" size="large" isBusy={isBusy}>
        <span className="truncate">{isBusy ? formWords.busy : ways.provider(name)}</span>
      </Button>
    </form>
  );
}
