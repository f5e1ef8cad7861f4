import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";

/**
 * What something being edited would have done, beside its form.
 * @param isWhole the form is complete
 * @param isError the rehearsal couldn't be read; `onAgain` retries
 * @param tools what is tried, above the result; kept where it couldn't be read
 * @param isCurrent the result is that of the form as it is now
 * @param children the result; null: not there yet
 */
export function RehearsalPanel({
  words,
  isWhole,
  isError,
  isCurrent,
  onAgain,
  tools,
  children,
}: {
  words: { label: string; idle: string; busy: string; failed: string; again: string };
  isWhole: boolean;
  isError: boolean;
  isCurrent: boolean;
  onAgain: () => void;
  tools?: ReactNode;
  children: ReactNode;
}) {
  return (
    <aside className="panel pt-2.5" aria-label={words.label}>
      {isWhole ? tools : null}
      {!isWhole ? (
        <p className="text-ink-2">{words.idle}</p>
      ) : isError ? (
        <>
          <p role="alert" className="mb-2">
            {words.failed}
          </p>
          <Button onClick={onAgain}>{words.again}</Button>
        </>
      ) : children === null ? (
        <p className="text-ink-2" role="status">
          {words.busy}
        </p>
      ) : (
        <div aria-busy={!isCurrent} className={isCurrent ? undefined : "text-ink-3"}>
          {children}
        </div>
      )}
    </aside>
  );
}
