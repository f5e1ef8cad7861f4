"use client";

import { ResultBar } from "@/components/grid/incident-actions/acknowledge-result";
import { usePartnerHere } from "./partner-here";

/** What the last act on the page did, with an undo. Default export for `lazyPart`. */
export default function ActResult() {
  const { result, setResult } = usePartnerHere();
  return <ResultBar result={result} onResult={setResult} />;
}
