import { refusalSentence } from "@/lib/domain/words/file-words";

/** Why something did not begin, under the question. `status` null: nothing was refused. */
export function Refusal({ status }: { status: number | null }) {
  if (status === null) return null;
  return (
    <p role="alert" className="mt-3 border-l-2 border-ink pl-3 text-xs">
      {refusalSentence(status)}
    </p>
  );
}
