import { PAUSED_SENTENCE, refusalSentence } from "@/lib/domain/words/file-words";

/**
 * Why a request was refused or would be, below the question.
 * @param status of the refused request; null: none
 * @param isPaused deletions are paused until an administrator resumes them
 */
export function Refusal({ status, isPaused }: { status: number | null; isPaused: boolean }) {
  if (status === null && !isPaused) return null;
  return (
    <p role="alert" className="mt-3 border-l-2 border-ink pl-3 text-xs">
      {isPaused ? PAUSED_SENTENCE : refusalSentence(status ?? 0)}
    </p>
  );
}
