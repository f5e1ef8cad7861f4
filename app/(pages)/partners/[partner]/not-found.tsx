import type { Metadata } from "next";
import { missing } from "@/components/partners/words";
import { Empty } from "@/components/ui/empty";
import { Link } from "@/components/ui/link";

export const metadata: Metadata = { title: missing.title };

/** Same for a missing partner and one of companies without access. */
export default function PartnerNotFound() {
  return (
    <main id="main" tabIndex={-1}>
      <Empty
        heading="h1"
        title={missing.title}
        action={
          <Link href="/partners" className="button-link">
            {missing.all}
          </Link>
        }
      >
        {missing.text}
      </Empty>
    </main>
  );
}
