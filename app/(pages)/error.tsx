"use client";

import { Empty } from "@/components/ui/empty";
import { Button } from "@/components/ui/button";

/** A page that could not be drawn. What went wrong is in the log, not here. */
export default function PageError({ reset }: { reset: () => void }) {
  return (
    <main id="main" tabIndex={-1}>
      <Empty
        heading="h1"
        title="Couldn’t load this page"
        action={<Button onClick={reset}>Reload</Button>}
      >
        We can’t show sync status right now. Details are in the server log.
      </Empty>
    </main>
  );
}
