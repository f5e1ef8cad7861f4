import { useRef, useState, type ComponentProps } from "react";
import { useEarlyChange } from "./use-early-change";

/**
 * A text field for a value with a form of its own, such as a date: read when it's left or Enter is pressed, then
 * shown in that form. A text that can't be read stays, and a form with it isn't submitted.
 * @param shown the value as people read it
 * @param parse a text to a value; null for one that can't be read
 * @param refusal what is wrong then, as a sentence
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
  refusal: string;
  onChange: (value: string) => void;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  const [isRefused, setIsRefused] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  /** @returns whether it could be read */
  const take = (text: string): boolean => {
    const read = parse(text);
    field.current?.setCustomValidity(read === null ? refusal : "");
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
      aria-invalid={isRefused || undefined}
      title={isRefused ? refusal : undefined}
      onChange={({ target }) => {
        setTyped(target.value);
        setIsRefused(false);
        target.setCustomValidity(parse(target.value) === null ? refusal : "");
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
