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

/** Why a form was refused: a sentence, and the name of the field that it is about, if it is about one. */
export type FormProblem = string | { problem: string; field?: string | undefined };

type Form = {
  /** Names of the fields that show what is wrong with them. */
  names: Set<string>;
  /** Null: nothing is wrong, or it isn't about a field. */
  wrong: { problem: string; field: string } | null;
};

const FormContext = createContext<Form | null>(null);

/** What is wrong with the fields of those names; null: nothing. */
export function useFieldProblem(...names: (string | undefined)[]): Form["wrong"] {
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
  const wrong = form?.wrong ?? null;
  return wrong !== null && names.includes(wrong.field) ? wrong : null;
}

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

/**
 * The fields of a form, and below them why it was refused. If that is about one of them, it has the sentence instead,
 * and the focus, until anything is typed: fields that are read when they lose the focus would move what is being pressed.
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
  const { problem, field = null } =
    typeof refused === "string" ? { problem: refused } : (refused ?? { problem: null });
  const [seen, setSeen] = useState<FormProblem | null>(null);
  const isSeen = seen !== null && seen === refused;
  const isAtField = field !== null && names.has(field) && !isSeen;
  const form = useMemo(
    () => ({ names, wrong: isAtField && problem !== null ? { problem, field } : null }),
    [names, isAtField, problem, field],
  );
  const fields = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isAtField || refused === null) return;
    const invalid = fields.current?.querySelectorAll<HTMLElement>(SAYS_WHY) ?? [];
    const [first] = invalid;
    if (![...invalid].some((one) => one === document.activeElement)) first?.focus();
  }, [isAtField, refused]);
  return (
    <FormContext value={form}>
      <div
        ref={fields}
        className="contents"
        onInput={() => {
          if (isAtField) setSeen(refused);
        }}
      >
        {children}
      </div>
      <p role="alert" className={`text-xs text-failing-text empty:hidden ${className}`}>
        {isAtField || isSeen ? null : problem}
      </p>
    </FormContext>
  );
}
