import type { ReactNode } from "react";

/**
 * The head of a page: what it is about in one line, and what can be done with it.
 * @param above where the page is, before the title
 * @param below facts and notes after the title; it has its own paragraphs
 * @param actions buttons, of which at most one is primary
 */
export function PageHead({
  title,
  above,
  below,
  actions,
  className = "",
}: {
  title: ReactNode;
  above?: ReactNode;
  below?: ReactNode;
  actions?: ReactNode;
  className?: string;
}) {
  return (
    <header className={`page-head ${className}`}>
      <div className="min-w-0">
        {above}
        <h1 className="page-title">{title}</h1>
        {below}
      </div>
      {actions === undefined ? null : <div className="page-actions">{actions}</div>}
    </header>
  );
}
