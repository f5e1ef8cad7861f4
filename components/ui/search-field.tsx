import { useRef, type ComponentProps, type RefObject } from "react";
import { useEarlyChange } from "@/components/ui/form/use-early-change";

/**
 * A one-line filter with the shortcut that focuses it.
 * @param onType called with the whole text on each change, and with text typed before hydration
 */
export function SearchField({
  ref,
  label,
  hint,
  maxLength,
  className = "",
  value,
  onType,
  ...rest
}: Omit<ComponentProps<"input">, "ref" | "onChange" | "value"> & {
  ref?: RefObject<HTMLInputElement | null>;
  label: string;
  hint?: string;
  /** Of the input, characters. */
  maxLength: number;
  value: string;
  onType: (value: string) => void;
}) {
  const own = useRef<HTMLInputElement>(null);
  const input = ref ?? own;
  useEarlyChange(input, value, onType);
  return (
    <label
      className={`flex h-7 items-center gap-2 rounded border border-control bg-surface pr-1.5 pl-2.5 focus-within:outline-2 focus-within:-outline-offset-2 focus-within:outline-focus max-sm:h-9 ${className}`}
    >
      <span className="sr-only">{label}</span>
      <input
        type="search"
        autoComplete="off"
        spellCheck={false}
        maxLength={maxLength}
        aria-keyshortcuts={hint}
        {...rest}
        ref={input}
        value={value}
        onChange={(event) => onType(event.target.value)}
        placeholder={label}
        className="min-w-0 flex-1 bg-transparent text-ink outline-none placeholder:text-ink-3 [&::-webkit-search-cancel-button]:hidden"
      />
      {hint ? (
        <kbd aria-hidden="true" className="key max-sm:hidden">
          {hint}
        </kbd>
      ) : null}
    </label>
  );
}
