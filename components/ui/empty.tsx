import type { ReactNode } from "react";
import { Button } from "./button";

/** An empty state: one heading, one sentence, at most one button. */
export function Empty({
  title,
  children,
  action,
  heading: Heading = "h2",
}: {
  title: string;
  /** `h1` where it is the page's only content. */
  heading?: "h1" | "h2";
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <section className="relative mx-6 mt-6 in-[.page]:mx-0 max-sm:in-[.page]:mx-0 min-h-[250px] border-t border-line-strong px-[26px] pt-[26px] max-sm:mx-3.5">
      <span className="plumb-drop top-0 left-0 h-[66px]" aria-hidden="true" />
      <Heading className="text-md font-strong">{title}</Heading>
      <p className="mt-1 mb-3.5 max-w-[340px] text-ink-2">{children}</p>
      {action}
    </section>
  );
}

export const NOTHING_MATCHES = "Nothing matches";

/**
 * The empty state of a filtered list: never says that all is well.
 * @param show label of the button that removes the filters
 * @param title default: "Nothing matches"
 */
export function NothingMatches({
  title = NOTHING_MATCHES,
  show,
  onShowAll,
  children,
}: {
  title?: string;
  show: string;
  onShowAll: () => void;
  children: ReactNode;
}) {
  return (
    <Empty title={title} action={<Button onClick={onShowAll}>{show}</Button>}>
      {children}
    </Empty>
  );
}

/** Takes the place of what isn't loaded yet, and says so after a second. @param className its height and margins */
export function Loading({ className }: { className: string }) {
  return (
    <div className={`loading ${className}`} aria-busy="true">
      Loading…
    </div>
  );
}
