import { useEffect, useRef, useState, type ComponentProps } from "react";
import { useEarlyChange } from "./use-early-change";

/** What is wrong with the field of that name. */
export type NamedProblem = { problem: string; field: string };

/** Messages about the `TypedInput`s of a form whose text is invalid. */
export function refusedTexts(form: HTMLFormElement): NamedProblem[] {
  return [...form.elements]
    .filter((field) => field instanceof HTMLInputElement)
    .filter(({ validity }) => validity.customError)
    .map(({ validationMessage, name }) => ({ problem: validationMessage, field: name }));
}

/**
 * A text field for a formatted value, such as a date: parsed on blur and on Enter, then shown formatted. Invalid text
 * remains until the value changes, and blocks submission of its form.
 * @param shown the formatted value
 * @param parse text to a value; null: invalid
 * @param refusal message for invalid text
 */
export function TypedInput({
  value,
  shown,
  parse,
  refusal,
  onChange,
  ...rest
}: Omit<ComponentProps<"input">, "type" | "value" | "defaultValue" | "onChange"> & {
  value: string;
  shown: string;
  parse: (text: string) => string | null;
  refusal: (text: string) => string;
  onChange: (value: string) => void;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  const [isRefused, setIsRefused] = useState(false);
  const [last, setLast] = useState(value);
  if (last !== value) {
    setLast(value);
    setTyped(null);
    setIsRefused(false);
  }
  const field = useRef<HTMLInputElement>(null);
  // Before `useEarlyChange`, whose text may be invalid.
  useEffect(() => {
    if (typed === null) field.current?.setCustomValidity("");
  }, [typed]);
  /** @returns whether the text is valid */
  const take = (text: string): boolean => {
    const read = parse(text);
    field.current?.setCustomValidity(read === null ? refusal(text) : "");
    setIsRefused(read === null);
    setTyped(read === null ? text : null);
    if (read !== null && read !== value) onChange(read);
    return read !== null;
  };
  useEarlyChange(field, shown, take);
  return (
    <input
      autoComplete="off"
      spellCheck={false}
      {...rest}
      ref={field}
      type="text"
      value={typed ?? shown}
      aria-invalid={isRefused || rest["aria-invalid"]}
      title={isRefused && typed !== null ? refusal(typed) : undefined}
      onChange={({ target }) => {
        setTyped(target.value);
        setIsRefused(false);
        target.setCustomValidity(parse(target.value) === null ? refusal(target.value) : "");
      }}
      onBlur={() => {
        if (typed !== null) take(typed);
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter" && typed !== null && !take(typed))
          event.currentTarget.reportValidity();
      }}
    />
  );
}
