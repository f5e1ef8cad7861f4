import type { ReactNode } from "react";

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
    <section className="relative mx-6 mt-6 min-h-[250px] border-t border-line-strong px-[26px] pt-[26px] max-sm:mx-3.5">
      <span className="plumb-drop top-0 left-0 h-[66px]" aria-hidden="true" />
      <Heading className="text-md font-strong">{title}</Heading>
      <p className="mt-1 mb-3.5 max-w-[340px] text-ink-2">{children}</p>
      {action}
    </section>
  );
}
