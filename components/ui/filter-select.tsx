import { useRef, type ReactNode } from "react";
import { useEarlyChange } from "@/components/ui/form/use-early-change";

/**
 * A select that filters a list, with its label before it.
 * @param value of the selected `option`; empty for all
 * @param onChoose called on each choice, and with one made before hydration
 */
export function FilterSelect({
  label,
  value,
  onChoose,
  className = "",
  children,
}: {
  label: string;
  value: string;
  onChoose: (value: string) => void;
  className?: string;
  children: ReactNode;
}) {
  const select = useRef<HTMLSelectElement>(null);
  useEarlyChange(select, value, onChoose);
  return (
    <FilterLabel label={label}>
      <select
        ref={select}
        autoComplete="off"
        className={`${FILTER_CONTROL} ${className}`}
        value={value}
        onChange={(event) => onChoose(event.target.value)}
      >
        {children}
      </select>
    </FilterLabel>
  );
}

export const FILTER_CONTROL =
  "h-7 min-w-0 rounded border border-control bg-surface px-1.5 text-ink aria-invalid:border-failing-mark max-sm:h-11";

export function FilterLabel({ label, children }: { label: string; children: ReactNode }) {
  return (
    // oxlint-disable-next-line jsx-a11y/label-has-associated-control -- the control is what it holds
    <label className="flex min-w-0 items-center gap-2 text-xs text-ink-2 max-sm:flex-col max-sm:items-stretch max-sm:gap-1">
      {label}
      {children}
    </label>
  );
}
