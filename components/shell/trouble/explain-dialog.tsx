"use client";

import Dialog from "@/components/ui/dialog";
import { explanation } from "./explain-words";

/** Explains the consequences of missing new data. Default export for `lazyPart`. */
export default function ExplainDialog({ onClose }: { onClose: () => void }) {
  const { title, close, sentences } = explanation;
  return (
    <Dialog title={title} closeLabel={close} onClose={onClose}>
      {sentences.map((sentence, at) => (
        <p key={sentence} className={at === 0 ? "" : "mt-2"}>
          {sentence}
        </p>
      ))}
    </Dialog>
  );
}
