"use client";

import { useId, type ReactNode } from "react";

/** A text that must be typed exactly before a button is enabled. */
export function TypedField({
  label,
  value,
  note,
  onChange,
  onEnter,
  inputMode,
}: {
  label: ReactNode;
  value: string;
  /** Progress of the match; announced with the field. */
  note: string;
  onChange: (value: string) => void;
  onEnter: () => void;
  inputMode?: "numeric";
}) {
  const id = useId();
  return (
    <div className="text-xs">
      <label htmlFor={id} className="wrap-anywhere">
        {label}
      </label>
      <input
        id={id}
        value={value}
        inputMode={inputMode}
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        aria-describedby={`${id}-note`}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") onEnter();
        }}
        className="mt-[5px] mb-1 block h-8 w-full rounded border border-control bg-surface px-2.5 font-mono text-sm max-sm:h-11"
      />
      <small id={`${id}-note`} className="text-2xs text-ink-3">
        {note}
      </small>
    </div>
  );
}
