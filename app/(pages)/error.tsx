"use client";

import { Empty } from "@/components/ui/empty";
import { Button } from "@/components/ui/button";

/** A page that could not be drawn, or whose code did not come. What went wrong is in the log, not here. */
export default function PageError() {
  return (
    <main id="main" tabIndex={-1}>
      <Empty
        heading="h1"
        title="Couldn’t load this page"
        action={<Button onClick={() => window.location.reload()}>Reload</Button>}
      >
        We can’t show sync status right now. Check your connection, then reload. If that doesn’t
        help, the server log says why.
      </Empty>
    </main>
  );
}
