import type { ReactNode } from "react";

const LABEL = "text-xs/4.5 font-medium";

/** A setting with its label. @param htmlFor id of its only control; omitted: the controls have labels of their own */
export function SettingRow({
  label,
  htmlFor,
  children,
}: {
  label: string;
  htmlFor?: string;
  children: ReactNode;
}) {
  return (
    <div className="grid grid-cols-[132px_minmax(0,1fr)] items-center gap-x-4 gap-y-1.5 border-t border-line py-2.5 last:border-b max-sm:grid-cols-1">
      {htmlFor === undefined ? (
        <span className={LABEL}>{label}</span>
      ) : (
        <label htmlFor={htmlFor} className={LABEL}>
          {label}
        </label>
      )}
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5">{children}</div>
    </div>
  );
}

/** A sentence about a setting. */
export function SettingNote({ children }: { children: ReactNode }) {
  return <p className="text-xs/4.5 text-ink-2">{children}</p>;
}
