"use client";

import { Empty } from "@/components/grid/empty";
import { Button } from "@/components/ui/button";

/** A page that could not be drawn. What went wrong is in the log, not here. */
export default function PageError({ reset }: { reset: () => void }) {
  return (
    <main>
      <Empty
        heading="h1"
        title="This page could not be drawn"
        action={<Button onClick={reset}>Draw it again</Button>}
      >
        Nothing is known about the syncs from here. The reason is in the log.
      </Empty>
    </main>
  );
}
