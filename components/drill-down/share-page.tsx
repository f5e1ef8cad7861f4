"use client";

import { useLiveCompany } from "@/components/shell/live-company";
import { CopyLink } from "@/components/shell/copy-link";
import { share } from "./words";

/** What a link to this page shows, and to whom. */
export function SharePage({ subject }: { subject: string }) {
  const { name } = useLiveCompany();
  return (
    <section className="panel" aria-labelledby="share">
      <header>
        <h2 id="share">{share.heading}</h2>
      </header>
      <dl className="key-values">
        <dt>{share.shows}</dt>
        <dd>{share.what(subject)}</dd>
        <dt>{share.who}</dt>
        <dd>{share.whom(name)}</dd>
      </dl>
      <div className="flex flex-wrap gap-2">
        <CopyLink />
        <CopyLink withThen />
      </div>
    </section>
  );
}
