"use client";

import { lazy, Suspense, type ComponentType } from "react";
import { useInBrowser } from "@/components/ui/use-in-browser";

const NOTHING = { default: () => null };
/** What changed isn't needed to read how things are, so it comes after; without a network the page goes on without it. */
const CompanyCatchUp = lazy((): Promise<{ default: ComponentType<{ slug: string }> }> =>
  import("./company-catch-up").catch(() => NOTHING),
);
const AllCatchUp = lazy((): Promise<{ default: ComponentType }> =>
  import("./all-catch-up").catch(() => NOTHING),
);

/**
 * The line that says what changed since somebody last looked, and opens to the list. It has its place from the
 * beginning, so that nothing moves when it comes.
 * @param slug null: of all companies
 */
export function CatchUp({ slug }: { slug: string | null }) {
  const isReady = useInBrowser();
  return (
    <div className="min-h-9 border-b border-line print:hidden">
      {isReady ? (
        <Suspense>{slug === null ? <AllCatchUp /> : <CompanyCatchUp slug={slug} />}</Suspense>
      ) : null}
    </div>
  );
}
