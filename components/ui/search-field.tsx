import type { ComponentProps } from "react";

/** A one-line filter with the key that leads to it. */
export function SearchField({
  label,
  hint,
  className = "",
  ...rest
}: ComponentProps<"input"> & { label: string; hint?: string }) {
  return (
    <label
      className={`flex h-7 items-center gap-2 rounded border border-control bg-surface pr-1.5 pl-2.5 focus-within:outline-2 focus-within:-outline-offset-2 focus-within:outline-focus max-sm:h-9 ${className}`}
    >
      <span className="sr-only">{label}</span>
      <input
        type="search"
        autoComplete="off"
        spellCheck={false}
        {...rest}
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
