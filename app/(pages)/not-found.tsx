import type { Metadata } from "next";
import { Empty } from "@/components/grid/empty";

export const metadata: Metadata = { title: "Nothing here" };

export default function NotFound() {
  return (
    <main>
      <Empty
        title="Nothing here"
        heading="h1"
        action={
          // Every page carries the script of this one: a plain link has none.
          // oxlint-disable-next-line next/no-html-link-for-pages
          <a href="/" className="underline underline-offset-3">
            All companies
          </a>
        }
      >
        This address leads to nothing that you may see.
      </Empty>
    </main>
  );
}
