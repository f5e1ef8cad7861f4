import type { Metadata } from "next";
import { pageNotFound } from "@/components/shell/words";
import { Empty } from "@/components/ui/empty";

export const metadata: Metadata = { title: "Page not found" };

/** Same for a missing company and one without access. */
export default function CompanyNotFound() {
  return (
    <main id="main" tabIndex={-1}>
      <Empty
        title={pageNotFound.title}
        heading="h1"
        action={
          // Every page of a company carries this one's script: a plain link needs none.
          // oxlint-disable-next-line next/no-html-link-for-pages
          <a href="/" className="button-link">
            {pageNotFound.all}
          </a>
        }
      >
        {pageNotFound.sentence}
      </Empty>
    </main>
  );
}
