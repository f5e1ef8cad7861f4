"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { TELL_LOOK } from "@/components/grid/incident-actions/line-buttons";
import { usePartnerHere } from "./partner-here";
import { actOn } from "@/lib/client/queries/incident";
import { toldWords as words } from "./words";

/** Notes on a row's incident that the customer was told, once its paragraph was copied. Default export for `lazyPart`. */
export default function MarkTold({ company, id }: { company: string; id: number }) {
  const client = useQueryClient();
  const { nameOf, setResult, partner } = usePartnerHere();
  const [isBusy, setIsBusy] = useState(false);
  const mark = async () => {
    setIsBusy(true);
    try {
      await actOn(client, company, id, {
        kind: "note",
        text: words.note(partner),
        toldCustomer: true,
        toChannels: false,
      });
    } catch {
      setResult({ sentence: words.failed(nameOf(company)), taken: [] });
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <button
      type="button"
      className={TELL_LOOK}
      aria-label={words.markLabel(nameOf(company))}
      disabled={isBusy}
      onClick={() => void mark()}
    >
      {words.mark}
    </button>
  );
}
