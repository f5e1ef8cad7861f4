"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import Dialog from "@/components/ui/dialog";
import { paragraphsQuery } from "@/lib/client/queries/partners/partners-query";
import { encodeSegment } from "@/lib/domain/partner-address";
import { tellWords as words } from "./words";

/** Paragraphs that are rendered at once. */
const MAX_SHOWN = 40;

/**
 * What to tell each customer where the partner is behind, to copy one by one or as CSV. Default export for `lazyPart`.
 * @param name the partner as shown
 * @param nameOf name of a company, by slug
 */
export default function TellEveryone({
  partner,
  name,
  nameOf,
  onClose,
}: {
  partner: string;
  name: string;
  nameOf: (company: string) => string;
  onClose: () => void;
}) {
  const { data, isError } = useQuery(paragraphsQuery(partner));
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? data : data?.slice(0, MAX_SHOWN);
  return (
    <Dialog
      title={words.title(name)}
      closeLabel={words.close}
      onClose={onClose}
      className="w-[640px]"
      actions={
        data === undefined || data.length === 0 ? undefined : (
          <a
            href={`/api/partners/${encodeSegment(partner)}/paragraphs/csv`}
            download
            className="button-link max-sm:h-11"
          >
            {words.csv}
          </a>
        )
      }
    >
      <p>{words.hint}</p>
      {data === undefined || shown === undefined ? (
        <p role="status" className="mt-3">
          {isError ? words.notLoaded : words.loading}
        </p>
      ) : data.length === 0 ? (
        <p className="mt-3">{words.none}</p>
      ) : (
        <ul className="mt-3 grid grid-cols-1 gap-3">
          {shown.map(({ company, text }) => (
            <li key={company}>
              <div className="flex items-center justify-between gap-3">
                <b className="truncate font-strong text-ink" dir="auto">
                  {nameOf(company)}
                </b>
                <CopyButton text={() => text}>{words.copy}</CopyButton>
              </div>
              <blockquote className="mt-1 bg-sunken px-2.5 py-2 wrap-anywhere">{text}</blockquote>
            </li>
          ))}
        </ul>
      )}
      {data === undefined || isWhole || data.length <= MAX_SHOWN ? null : (
        <Button className="mt-3" onClick={() => setIsWhole(true)}>
          {words.all(data.length)}
        </Button>
      )}
    </Dialog>
  );
}
