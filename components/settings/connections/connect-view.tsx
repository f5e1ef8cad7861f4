"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState, type SubmitEvent } from "react";
import { Crumbs } from "@/components/resource/crumbs";
import { ResourcePage } from "@/components/resource/resource-page";
import { Proof } from "@/components/session/proof";
import { problemIn, refusedFor, type Refused } from "@/components/session/refused";
import { useResumableDialog } from "@/components/session/use-resumable-dialog";
import { useZone } from "@/components/shell/time/zone";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { ApiError } from "@/lib/client/api";
import { CHECK_STEPS, isConnectable } from "@/lib/domain/check-steps";
import {
  connect,
  connectionsQuery,
  failedSteps,
} from "@/lib/client/queries/connections/connections";
import { meQuery } from "@/lib/client/queries/me";
import { useServerClock } from "@/lib/client/use-now";
import { clockTimeWithSeconds } from "@/lib/domain/words/format";
import { zoneName } from "@/lib/domain/time/zone-name";
import { CheckList } from "./check-list";
import { ConnectFields } from "./connect-fields";
import {
  ALL_FIELDS,
  CHECKED_FIELDS,
  CONNECT_FORM,
  connectRequestOf,
  isCheckedAlike,
  isConnectDraft,
  keptForm,
  missingScopes,
  NEW_DRAFT,
  problemsOf,
  slugOf,
  type DraftField,
} from "./connect-draft";
import { FirstCheck } from "./first-check";
import { useCheck, type Check } from "./use-check";
import * as words from "./connect-words";
import { CONNECTIONS } from "./words";

/** What is waiting for a recent sign-in. */
type Act = "check" | "connect" | "anyway";

/**
 * Connects a company: checks its API step by step, then saves the connection.
 * @param host of this installation, as people reach it
 * @param printed who still has the password that was printed when Plumbline first started, with which nothing can be
 *   connected: this person or another one; null: unknown, because the database was unavailable
 */
export function ConnectView({
  host,
  printed,
}: {
  host: string;
  printed: "own" | { email: string } | "none" | null;
}) {
  const timeZone = useZone();
  const client = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState(NEW_DRAFT);
  const [isRestored, setIsRestored] = useState(false);
  const [wanted, setWanted] = useState<readonly DraftField[]>([]);
  const [refused, setRefused] = useState<{ act: Act; why: Refused } | null>(null);
  /** Slug of the company that is being saved. */
  const [saving, setSaving] = useState<string | null>(null);
  /** The saved company; `isRead`: the check before succeeded. */
  const [connected, setConnected] = useState<{ slug: string; isRead: boolean } | null>(null);
  const { check, run, stop, show } = useCheck();
  useResumableDialog(CONNECT_FORM, isConnectDraft, (kept) => {
    setDraft(kept);
    setIsRestored(true);
  });
  const { data: me } = useQuery({ ...meQuery, enabled: printed === null });
  const whose = printed ?? (me?.local?.is_password_printed === true ? "own" : "none");
  /** What is typed would be lost on the way to the password. */
  const needsNewPassword = whose !== "none";
  const isSaving = saving !== null;
  const taken = useTakenSlugs(saving ?? connected?.slug ?? null);
  const problems = problemsOf(draft, taken, wanted);

  /** @returns whether these fields are valid; else the first that isn't is focused */
  const isComplete = (fields: readonly DraftField[]): boolean => {
    setWanted(fields);
    const [first] = Object.keys(problemsOf(draft, taken, fields));
    if (first === undefined) return true;
    form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
    return false;
  };
  const runCheck = async () => {
    setRefused(null);
    const why = await run(draft);
    if (why !== null) setRefused({ act: "check", why });
  };
  const save = async (act: "connect" | "anyway") => {
    setRefused(null);
    const request = connectRequestOf(draft, taken);
    setSaving(request.slug);
    try {
      const { slug } = await connect(
        client,
        act === "anyway" ? { ...request, save_anyway: true } : request,
      );
      setConnected({ slug, isRead: act === "connect" });
    } catch (error) {
      const steps = failedSteps(error);
      if (steps !== null) show(steps, draft);
      setRefused({ act, why: refusedFor(error, problemOf) });
    } finally {
      setSaving(null);
    }
  };
  const start = (act: Act) => {
    if (!isComplete(act === "check" ? CHECKED_FIELDS : ALL_FIELDS)) return;
    if (act === "check") void runCheck();
    else void save(act);
  };

  const isRunning = check.state === "running";
  const isCurrent = check.state === "done" && isCheckedAlike(check.of, draft);
  const problem = problemIn(refused?.why ?? null);
  return (
    <ResourcePage
      above={
        <Crumbs
          label={words.CRUMBS}
          up={{ href: "/settings/connections", label: CONNECTIONS }}
          here={words.NEW}
        />
      }
      title={titleOf(draft.name, check, isCurrent, connected)}
    >
      {whose === "none" ? null : <PasswordFirst whose={whose} />}
      <div className="grid grid-cols-[500px_minmax(0,1fr)] items-start gap-x-12 gap-y-6 pb-14 max-[1100px]:grid-cols-1">
        <form
          ref={form}
          noValidate
          onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
            event.preventDefault();
            if (isRunning || isSaving) return;
            // Enter leaves the focus in a field, which is disabled during the check.
            event.nativeEvent.submitter?.focus();
            start("check");
          }}
        >
          <h2 className="pb-2 font-strong">{words.COMPANY}</h2>
          <fieldset disabled={needsNewPassword || isRunning || isSaving || connected !== null}>
            <ConnectFields
              draft={draft}
              slug={slugOf(draft, taken)}
              problems={problems}
              host={host}
              isSecretMissing={isRestored && draft.clientSecret === ""}
              onChange={(changes) => setDraft((before) => ({ ...before, ...changes }))}
            />
          </fieldset>
          {connected === null ? (
            <div className="mt-4 flex flex-wrap items-center gap-2 text-xs/[18px] text-ink-3">
              <Button
                type="submit"
                look={isCurrent || isRunning ? "plain" : "primary"}
                className={isRunning ? "aria-disabled:text-ink" : isCurrent ? "text-ink" : ""}
                disabled={needsNewPassword}
                isBusy={isRunning || isSaving}
              >
                {isRunning
                  ? words.checkingStep(
                      Math.min(check.steps.length + 1, CHECK_STEPS.length),
                      CHECK_STEPS.length,
                    )
                  : check.state === "none"
                    ? words.CHECK
                    : words.CHECK_AGAIN}
              </Button>
              {isRunning ? <Button onClick={stop}>{words.STOP}</Button> : null}
              <p>{noteOf(check, isCurrent, timeZone)}</p>
            </div>
          ) : null}
          <p role="alert" className="mt-2 text-xs text-failing-text empty:hidden">
            {refused?.act === "check" ? problem : null}
          </p>
        </form>
        <section aria-labelledby="found">
          <h2 id="found" className="pb-2 font-strong">
            {words.FOUND}
          </h2>
          {check.state === "none" ? (
            <p className="border-t border-line-strong py-[9px] text-ink-2">{words.NOTHING_YET}</p>
          ) : (
            <CheckList
              steps={check.steps}
              stepSinceMs={check.state === "running" ? check.stepSinceMs : null}
            />
          )}
          {connected === null ? (
            isCurrent ? (
              <Connect
                name={draft.name}
                isReadable={isConnectable(check.steps) && refused?.act !== "connect"}
                isSaving={isSaving}
                onConnect={start}
              />
            ) : null
          ) : (
            <FirstCheck slug={connected.slug} name={draft.name} />
          )}
          <p role="alert" className="mt-2 text-xs text-failing-text empty:hidden">
            {refused === null || refused.act === "check" ? null : problem}
          </p>
        </section>
      </div>
      <Proof
        isWanted={refused?.why === "needs-reauthentication"}
        words={refused?.act === "check" ? words.proofWords.check : words.proofWords.connect}
        kept={() => keptForm(draft)}
        onProven={() => {
          const act = refused?.act ?? "check";
          setRefused(null);
          start(act);
        }}
        onBack={() => setRefused(null)}
      />
    </ResourcePage>
  );
}

/** What has to be done before anything can be connected. @param whose password has to be changed */
function PasswordFirst({ whose }: { whose: "own" | { email: string } }) {
  const { own, other } = words.passwordFirst;
  const { lead, sentence } = whose === "own" ? own : other(whose.email);
  return (
    <div
      role="note"
      className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2 border border-l-[3px] border-line-strong border-l-ink bg-surface px-3 py-2"
    >
      <p className="min-w-0 flex-[1_1_320px]">
        <strong className="font-strong">{lead}</strong> {sentence}
      </p>
      {whose === "own" ? (
        <Link href="/settings/me" className="button-link">
          {words.passwordFirst.act}
        </Link>
      ) : null}
    </div>
  );
}

/** Slugs of all companies with a connection or a record. @param own of the company that this form is about; null: new */
function useTakenSlugs(own: string | null): ReadonlySet<string> {
  const { data } = useQuery(connectionsQuery(useServerClock()));
  const { view } = data ?? { view: null };
  const all = view === null ? [] : [...view.data, ...view.meta.left].map(({ slug }) => slug);
  return new Set(all.filter((slug) => slug !== own));
}

/** @param isReadable what was found permits reading the company */
function Connect({
  name,
  isReadable: canRead,
  isSaving,
  onConnect,
}: {
  name: string;
  isReadable: boolean;
  isSaving: boolean;
  onConnect: (act: "connect" | "anyway") => void;
}) {
  return (
    <div className="mt-4 flex items-center gap-3.5 max-sm:flex-col max-sm:items-stretch">
      <Button
        look={canRead ? "primary" : "plain"}
        className="max-w-[320px] shrink-0 max-sm:max-w-none"
        isBusy={isSaving}
        onClick={() => onConnect(canRead ? "connect" : "anyway")}
      >
        <span className="truncate">
          {isSaving ? words.CONNECTING : canRead ? words.connectButton(name) : words.CONNECT_ANYWAY}
        </span>
      </Button>
      <p className="max-w-[400px] text-xs/[18px] text-ink-2">
        {canRead ? words.CONNECT_NOTE : words.ANYWAY_NOTE}
      </p>
    </div>
  );
}

function titleOf(
  name: string,
  check: Check,
  isCurrent: boolean,
  connected: { isRead: boolean } | null,
): string {
  if (connected !== null)
    return connected.isRead ? words.connectedTitle(name) : words.savedTitle(name);
  if (check.state !== "done" || !isCurrent) return words.TITLE;
  return isConnectable(check.steps)
    ? words.canConnect(name, missingScopes(check.steps))
    : words.cannotConnect(name);
}

function noteOf(check: Check, isCurrent: boolean, timeZone: string): string {
  if (check.state === "stopped") return words.STOPPED;
  if (check.state !== "done") return words.CHECK_NOTE;
  if (!isCurrent) return words.OUTDATED;
  const { atMs } = check;
  return words.checkedAt(`${clockTimeWithSeconds(atMs, timeZone)} ${zoneName(atMs, timeZone)}`);
}

function problemOf(error: unknown): string {
  if (failedSteps(error) !== null) return words.RECHECK_FAILED;
  return error instanceof ApiError
    ? words.notConnected(error.status, error.description)
    : words.notConnected(0, null);
}
