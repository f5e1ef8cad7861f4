"use client";

import { useRef, type KeyboardEvent } from "react";

/** A few choices as a radio group: one tab stop, arrow keys choose. */
export function Segmented<T extends string>({
  label,
  value,
  options,
  onChange,
  className = "",
}: {
  label: string;
  value: T;
  options: readonly { value: T; label: string }[];
  onChange: (value: T) => void;
  className?: string;
}) {
  const group = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const index = options.findIndex((option) => option.value === value);
    const next = (index + step + options.length) % options.length;
    const chosen = options[next];
    if (chosen === undefined) return;
    onChange(chosen.value);
    group.current?.querySelectorAll("button")[next]?.focus();
  };
  return (
    <div
      ref={group}
      role="radiogroup"
      aria-label={label}
      onKeyDown={move}
      className={`inline-flex h-7 overflow-hidden rounded border border-control max-sm:h-9 ${className}`}
    >
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          role="radio"
          aria-checked={option.value === value}
          tabIndex={option.value === value ? 0 : -1}
          onClick={() => onChange(option.value)}
          className="border-l border-control px-2.5 whitespace-nowrap max-[360px]:px-1 text-ink-2 first:border-l-0 hover:text-ink aria-checked:bg-ink aria-checked:font-medium aria-checked:text-ink-inverse"
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
