/** The mark of a baseline: a line with a block hanging from it, and its word or others. */
export function BaselineMark({
  className = "",
  children = "Baseline",
}: {
  className?: string;
  children?: string | undefined;
}) {
  return (
    <span className={`inline-flex items-center gap-1.5 text-xs font-medium ${className}`}>
      <svg width="11" height="11" viewBox="0 0 12 12" aria-hidden="true" className="shrink-0">
        <path d="M0 1h12M2 3h8l-4 7z" fill="currentColor" stroke="currentColor" strokeWidth="1.2" />
      </svg>
      {children}
    </span>
  );
}
