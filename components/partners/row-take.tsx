"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { acknowledgeAll } from "@/components/grid/incident-actions/acknowledge-result";
import { TakeButton } from "@/components/grid/incident-actions/line-buttons";
import { usePartnerHere } from "./partner-here";

/** Acknowledges the incident of a row. */
export function RowTake({ company, id }: { company: string; id: number }) {
  const client = useQueryClient();
  const { nameOf, setResult } = usePartnerHere();
  const [isBusy, setIsBusy] = useState(false);
  const name = nameOf(company);
  const take = async () => {
    setIsBusy(true);
    setResult(await acknowledgeAll(client, [{ company, id, name }]));
    setIsBusy(false);
  };
  return (
    <TakeButton what={name} state={`${company}/${id}`} isBusy={isBusy} onTake={() => void take()} />
  );
}
