"use client";

import {
  createContext,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from "react";
import type { NamedProblem } from "./typed-input";

/**
 * Why a form was refused: a sentence, and the name of the field that it is about, if it is about one. `more`: what is wrong
 * with further fields.
 */
export type FormProblem =
  | string
  | { problem: string; field?: string | undefined; more?: readonly NamedProblem[] | undefined };

/** One that names every field that has something wrong, each with the first thing; null: none. */
export function formProblem(
  wrong: readonly NamedProblem[],
): (NamedProblem & { more?: readonly NamedProblem[] }) | null {
  const [first, ...more] = wrong.filter(
    ({ field }, at) => wrong.findIndex((one) => one.field === field) === at,
  );
  if (first === undefined) return null;
  return more.length === 0 ? first : { ...first, more };
}

/** What remains of a refusal when its form is edited: what is wrong with several fields, until each of them is. */
export function afterEdit<Refusal extends FormProblem>(refused: Refusal | null): Refusal | null {
  return refused !== null && typeof refused !== "string" && refused.more !== undefined
    ? refused
    : null;
}

type Form = {
  /** Names of the fields that show what is wrong with them. */
  names: Set<string>;
  /** What is wrong with some of them. */
  wrong: readonly NamedProblem[];
};

const FormContext = createContext<Form | null>(null);

/** What is wrong with the fields of those names. */
export function useFieldProblems(names: readonly (string | undefined)[]): readonly NamedProblem[] {
  const form = useContext(FormContext);
  const known = form?.names;
  const key = JSON.stringify(names);
  useEffect(() => {
    const own = (JSON.parse(key) as (string | null)[]).flatMap((name) => name ?? []);
    for (const name of own) known?.add(name);
    return () => {
      for (const name of own) known?.delete(name);
    };
  }, [known, key]);
  return form?.wrong.filter(({ field }) => names.includes(field)) ?? [];
}

/** What is wrong with the field of that name; null: nothing. */
export const useFieldProblem = (name: string | undefined): NamedProblem | null =>
  useFieldProblems([name])[0] ?? null;

/** Attributes of a control that has a problem. @param id of the field */
export const invalidControl = (id: string) =>
  ({ "aria-invalid": true, "aria-describedby": `${id}-problem` }) as const;

/** A control with `invalidControl`: others may hold text that is invalid, without a message. */
const SAYS_WHY = "[aria-invalid=true][aria-describedby$=-problem]";

/** What is wrong with a field, below its control. @param isSaid announced when it appears */
export function FieldProblem({
  id,
  isSaid = true,
  className = "mt-1",
  children,
}: {
  id: string;
  isSaid?: boolean;
  className?: string;
  children: ReactNode;
}) {
  return (
    <p
      id={`${id}-problem`}
      role={isSaid ? "alert" : undefined}
      className={`text-xs text-failing-text ${className}`}
    >
      {children}
    </p>
  );
}

/** Of what contains a field that has something wrong: whatever is done there takes the sentence away. */
export const wrongField = (wrong: NamedProblem | null | undefined) =>
  wrong == null ? {} : { "data-wrong": wrong.field };

const NONE: ReadonlySet<string> = new Set();

/**
 * The fields of a form, and below them why it was refused. What is about one of them is below that one instead, and the
 * first has the focus, until anything is typed there: fields that are read when they lose the focus would move what is
 * being pressed.
 * @param className of the sentence
 */
export function FormFields({
  problem: refused,
  className = "mt-2",
  children,
}: {
  problem: FormProblem | null;
  className?: string;
  children: ReactNode;
}) {
  const [names] = useState(() => new Set<string>());
  const [edited, setEdited] = useState<{ of: FormProblem | null; fields: ReadonlySet<string> }>({
    of: null,
    fields: NONE,
  });
  const editedFields = edited.of === refused ? edited.fields : NONE;
  const all = problemsIn(refused);
  // Names are known once the fields were rendered, which is before anything is refused.
  const atFields = all.filter((one) => isNamed(one) && names.has(one.field));
  const other = all.find((one) => !atFields.includes(one));
  const isAtField = atFields.length > 0;
  const shown = JSON.stringify(atFields.filter(({ field = "" }) => !editedFields.has(field)));
  const form = useMemo(
    (): Form => ({ names, wrong: JSON.parse(shown) as NamedProblem[] }),
    [names, shown],
  );
  const fields = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isAtField || refused === null) return;
    const invalid = fields.current?.querySelectorAll<HTMLElement>(SAYS_WHY) ?? [];
    const [first] = invalid;
    if (![...invalid].some((one) => one === document.activeElement)) first?.focus();
  }, [isAtField, refused]);
  const edit = (target: EventTarget) => {
    if (!isAtField) return;
    const at = target instanceof Element ? target.closest<HTMLElement>("[data-wrong]") : null;
    const field = at?.dataset["wrong"] ?? (all.length === 1 ? all[0]?.field : undefined);
    if (field !== undefined) setEdited({ of: refused, fields: new Set([...editedFields, field]) });
  };
  return (
    <FormContext value={form}>
      {/* Buttons are choices too: chips, days. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- only hears of what is pressed in it */}
      <div
        ref={fields}
        className="contents"
        onInput={({ target }) => edit(target)}
        onClick={({ target }) => {
          if (target instanceof Element && target.closest("[data-wrong] button") !== null)
            edit(target);
        }}
      >
        {children}
      </div>
      <p role="alert" className={`text-xs text-failing-text empty:hidden ${className}`}>
        {other?.problem}
      </p>
    </FormContext>
  );
}

type Problem = { problem: string; field?: string | undefined };

function problemsIn(refused: FormProblem | null): readonly Problem[] {
  if (refused === null) return [];
  if (typeof refused === "string") return [{ problem: refused }];
  return [refused, ...(refused.more ?? [])];
}

const isNamed = (one: Problem): one is NamedProblem => one.field !== undefined;
