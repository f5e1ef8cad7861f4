import { PAUSED_SENTENCE, refusalSentence } from "@/lib/domain/words/file-words";

/**
 * Why something did not begin, or would not, under the question.
 * @param status of what was refused; null: nothing was
 * @param isPaused nothing is deleted until an administrator lets it
 */
export function Refusal({ status, isPaused }: { status: number | null; isPaused: boolean }) {
  if (status === null && !isPaused) return null;
  return (
    <p role="alert" className="mt-3 border-l-2 border-ink pl-3 text-xs">
      {isPaused ? PAUSED_SENTENCE : refusalSentence(status ?? 0)}
    </p>
  );
}
