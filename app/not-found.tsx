import type { Metadata } from "next";
import Link from "next/link";
import { Empty } from "@/components/grid/empty";

export const metadata: Metadata = { title: "Nothing here" };

export default function NotFound() {
  return (
    <main>
      <Empty
        title="Nothing here"
        heading="h1"
        action={
          <Link href="/" className="underline underline-offset-3">
            All companies
          </Link>
        }
      >
        This address leads to nothing that you may see.
      </Empty>
    </main>
  );
}
