"use client";

import { useLiveCompany } from "@/components/shell/live-company";
import { CopyLink } from "@/components/shell/copy-link";

/** What a link to this page shows to whom. */
export function SharePage({ subject }: { subject: string }) {
  const { name } = useLiveCompany();
  return (
    <section className="panel" aria-labelledby="share">
      <header>
        <h2 id="share">Share this page</h2>
      </header>
      <dl className="key-values">
        <dt>Shows</dt>
        <dd>{subject}, live or compared with now</dd>
        <dt>Who</dt>
        <dd>Anyone signed in with access to {name}</dd>
      </dl>
      <div className="flex flex-wrap gap-2">
        <CopyLink />
        <CopyLink withThen />
      </div>
    </section>
  );
}
