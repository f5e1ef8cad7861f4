"use client";

import { ZoneField } from "@/components/shell/time/zone-field";
import { useId, type ReactNode } from "react";
import { OwnerSelect } from "./owner-select";
import type { ConnectDraft, DraftField, Problem } from "./connect-draft";
import * as words from "./connect-words";

/** Of a text field or select in a row. */
const CONTROL =
  "h-8 w-full min-w-0 rounded border border-control bg-surface px-2.5 text-ink has-disabled:bg-sunken has-disabled:text-ink-2 disabled:bg-sunken disabled:text-ink-2 aria-invalid:border-failing-mark max-sm:h-11";

const LONGEST: Readonly<Record<DraftField, number>> = {
  name: 200,
  slug: 40,
  baseUrl: 2_000,
  clientId: 500,
  clientSecret: 2_000,
  externalId: 100,
};

/**
 * Fields of a new connection.
 * @param slug the address to use, typed or proposed
 * @param problems of fields; shown once there are any
 * @param host of this installation
 * @param isSecretMissing it was typed before a sign-in at the identity provider
 */
export function ConnectFields({
  draft,
  slug,
  problems,
  host,
  isSecretMissing,
  onChange,
}: {
  draft: ConnectDraft;
  slug: string;
  problems: Partial<Record<DraftField, Problem>>;
  host: string;
  isSecretMissing: boolean;
  onChange: (changes: Partial<ConnectDraft>) => void;
}) {
  const row = (field: DraftField) => {
    const problem = problems[field] ?? null;
    return {
      label: words.fields[field],
      problem: problem === null ? null : words.problemText(field, problem, slug),
    };
  };
  const text = (field: Exclude<DraftField, "slug">) => ({
    name: field,
    maxLength: LONGEST[field],
    autoComplete: "off",
    spellCheck: false,
    value: draft[field],
    onChange: ({ target }: { target: HTMLInputElement }) => onChange({ [field]: target.value }),
  });
  return (
    <>
      <FormRow {...row("name")} hint={words.hints.name}>
        {(control) => <input {...control} {...text("name")} className={CONTROL} />}
      </FormRow>
      <FormRow {...row("slug")} hint={words.hints.slug(host, slug)}>
        {(control) => (
          <span className={`${CONTROL} flex items-center gap-1 font-mono text-xs`}>
            <span aria-hidden="true" className="text-ink-3">
              /
            </span>
            <input
              {...control}
              name="slug"
              maxLength={LONGEST.slug}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              className="h-full min-w-0 flex-1"
              value={slug}
              onChange={({ target }) => onChange({ slug: target.value.trim().toLowerCase() })}
            />
          </span>
        )}
      </FormRow>
      <FormRow {...row("baseUrl")}>
        {(control) => (
          <input
            {...control}
            {...text("baseUrl")}
            inputMode="url"
            placeholder={words.BASE_URL_EXAMPLE}
            className={`${CONTROL} font-mono text-xs`}
          />
        )}
      </FormRow>
      <FormRow {...row("clientId")}>
        {(control) => (
          <input {...control} {...text("clientId")} className={`${CONTROL} font-mono text-xs`} />
        )}
      </FormRow>
      <FormRow
        {...row("clientSecret")}
        hint={isSecretMissing ? words.SECRET_AGAIN : words.hints.clientSecret}
      >
        {(control) => (
          <input
            {...control}
            {...text("clientSecret")}
            type="password"
            autoComplete="new-password"
            className={`${CONTROL} font-mono text-xs`}
          />
        )}
      </FormRow>
      <FormRow label={words.fields.owner} hint={words.hints.owner}>
        {({ id, "aria-describedby": about }) => (
          <OwnerSelect
            id={id}
            about={about}
            company={slug}
            value={draft.owner}
            className={CONTROL}
            onChange={(owner) => onChange({ owner })}
          />
        )}
      </FormRow>
      <FormRow label={words.fields.timeZone} hint={words.hints.timeZone} isGroup>
        {() => (
          <ZoneField
            label={words.fields.timeZone}
            value={draft.timeZone}
            onChange={(timeZone) => onChange({ timeZone })}
          />
        )}
      </FormRow>
      <FormRow {...row("externalId")} hint={words.hints.externalId}>
        {(control) => <input {...control} {...text("externalId")} className={CONTROL} />}
      </FormRow>
    </>
  );
}

/** Connects a control with its label, hint and problem. */
type ControlProps = { id: string; "aria-describedby": string; "aria-invalid": true | undefined };

/**
 * A row of the form: label, control, hint, and what is wrong with it.
 * @param isGroup it has several controls with names of their own
 * @param children gets the attributes of the control
 */
function FormRow({
  label,
  hint,
  problem = null,
  isGroup = false,
  children,
}: {
  label: string;
  hint?: ReactNode;
  problem?: string | null;
  isGroup?: boolean;
  children: (props: ControlProps) => ReactNode;
}) {
  const id = useId();
  const labelled = "pt-[7px] text-xs/[18px] font-medium max-sm:pt-0";
  return (
    <div
      role={isGroup ? "group" : undefined}
      aria-labelledby={isGroup ? `${id}-label` : undefined}
      className="grid grid-cols-[118px_minmax(0,1fr)] gap-x-4 gap-y-1 border-t border-line py-[9px] first:border-line-strong max-sm:grid-cols-1"
    >
      {isGroup ? (
        <span id={`${id}-label`} className={labelled}>
          {label}
        </span>
      ) : (
        <label htmlFor={id} className={labelled}>
          {label}
        </label>
      )}
      <div className="min-w-0">
        {children({
          id,
          "aria-describedby": `${id}-about`,
          "aria-invalid": problem === null ? undefined : true,
        })}
        <div id={`${id}-about`} className="text-xs/[18px] text-ink-2">
          {problem === null ? null : <p className="mt-[5px] text-failing-text">{problem}</p>}
          {hint === undefined ? null : <p className="mt-[5px] wrap-anywhere">{hint}</p>}
        </div>
      </div>
    </div>
  );
}
