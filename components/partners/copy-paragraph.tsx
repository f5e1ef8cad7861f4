"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toClipboard } from "@/components/ui/to-clipboard";
import { paragraphsQuery } from "@/lib/client/queries/partners/partners-query";
import { copyWords as words } from "./words";

/**
 * Copies what to tell a company about the partner. The key C presses it.
 * @param name of the company
 * @param onCopied called once it was copied
 */
export function CopyParagraph({
  partner,
  company,
  name,
  onCopied,
}: {
  partner: string;
  company: string;
  name: string;
  onCopied: () => void;
}) {
  const client = useQueryClient();
  const [outcome, setOutcome] = useState<"copied" | "failed" | null>(null);
  const copy = async () => {
    const paragraph = client.fetchQuery(paragraphsQuery(partner)).then((all) => {
      const own = all.find((one) => one.company === company);
      if (own === undefined) throw new Error("nothing is behind any more");
      return { text: own.text };
    });
    const isCopied = await toClipboard(paragraph);
    setOutcome(isCopied ? "copied" : "failed");
    if (isCopied) onCopied();
  };
  const said = outcome === null ? "" : words[outcome];
  return (
    <>
      <button
        type="button"
        data-copy
        className="h-6 text-xs text-ink-2 underline decoration-control underline-offset-3 hover:text-ink max-sm:h-[34px]"
        aria-label={words.label(name)}
        onClick={() => void copy()}
        onBlur={() => setOutcome(null)}
      >
        {outcome === null ? words.copy : said}
      </button>
      <span role="status" className="sr-only">
        {said}
      </span>
    </>
  );
}
