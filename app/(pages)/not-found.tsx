import type { Metadata } from "next";
import { Empty } from "@/components/ui/empty";

export const metadata: Metadata = { title: "Page not found" };

export default function NotFound() {
  return (
    <main id="main" tabIndex={-1}>
      <Empty
        title="Page not found"
        heading="h1"
        action={
          // Every page carries this one's script: a plain link needs none.
          // oxlint-disable-next-line next/no-html-link-for-pages
          <a href="/" className="underline underline-offset-3">
            All companies
          </a>
        }
      >
        This page doesn’t exist, or you don’t have access to it.
      </Empty>
    </main>
  );
}
