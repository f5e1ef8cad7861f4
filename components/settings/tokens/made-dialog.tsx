"use client";

import type { ReactNode } from "react";
import { StoredDialog } from "@/components/resource/stored-dialog";
import { CopyButton } from "@/components/ui/copy-button";
import { curlCommand, madeDialog as words, shortened } from "./words";

/**
 * Shows a new token once, with a command that uses it. Stays open until the person says that it is stored. Default
 * export for `lazyPart`.
 */
export default function MadeDialog({
  name,
  summary,
  token,
  onClose,
}: {
  name: string;
  summary: string;
  token: string;
  onClose: () => void;
}) {
  const { origin } = window.location;
  return (
    <StoredDialog title={words.title(name)} words={words} onClose={onClose}>
      <p className="mt-1 text-ink-2">{summary}</p>
      <Part label={words.token} hint={words.once}>
        <div className="flex items-center gap-3 border border-ink py-1.5 pr-1.5 pl-2.5 max-sm:flex-wrap">
          <input
            readOnly
            aria-label={words.token}
            value={token}
            onFocus={({ target }) => target.select()}
            className="min-w-0 grow bg-surface font-mono text-xs text-ink"
          />
          <Copy label={words.copyToken} look="primary" text={token} />
        </div>
      </Part>
      <Part label={words.tryIt}>
        <div className="flex items-start justify-between gap-3 border border-line bg-sunken py-2 pr-1.5 pl-2.5 max-sm:flex-wrap">
          <pre className="min-w-0 overflow-x-auto font-mono text-xs/[18px] text-ink">
            {curlCommand(origin, shortened(token))}
          </pre>
          <Copy label={words.copyCommand} text={curlCommand(origin, token)} />
        </div>
      </Part>
      <p className="mt-1.5 text-xs text-ink-2">{words.whole}</p>
    </StoredDialog>
  );
}

function Part({ label, hint, children }: { label: string; hint?: string; children: ReactNode }) {
  return (
    <section className="mt-4">
      <h3 className="mb-1.5 text-xs font-strong">
        {label}
        {hint === undefined ? null : <span className="ml-2 font-normal text-ink-2">{hint}</span>}
      </h3>
      {children}
    </section>
  );
}

/** @param label accessible name */
function Copy({ label, text, look }: { label: string; text: string; look?: "primary" }) {
  return (
    <CopyButton {...(look && { look })} text={() => text} className="shrink-0">
      <span className="sr-only">{label}</span>
      <span aria-hidden="true">{words.copy}</span>
    </CopyButton>
  );
}
