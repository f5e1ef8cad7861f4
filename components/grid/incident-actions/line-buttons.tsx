import { actWords as words } from "./words";

/**
 * Acknowledges the incidents of a line; the only solid button of a list. The key A presses it.
 * @param given.what the line
 * @param given.state what it acknowledges, and how that stands: an early press is dropped if it has changed
 */
export function TakeButton({
  what,
  state,
  isBusy,
  onTake,
}: {
  what: string;
  state: string;
  isBusy: boolean;
  onTake: () => void;
}) {
  return (
    <button
      type="button"
      data-take
      data-act={state}
      className="h-6 rounded bg-ink px-2 text-xs font-medium text-ink-inverse focus-visible:outline-offset-1 disabled:bg-sunken disabled:text-ink-3 max-sm:h-[34px]"
      aria-label={words.takeLabel(what)}
      disabled={isBusy}
      onClick={onTake}
    >
      {words.take}
    </button>
  );
}

/** Opens what to tell the customer of a line. The key T presses it. @param what the line */
export function TellButton({ what, onTell }: { what: string; onTell: () => void }) {
  return (
    <button
      type="button"
      data-tell
      className={TELL_LOOK}
      aria-label={words.tellLabel(what)}
      onClick={onTell}
    >
      {words.tell}
    </button>
  );
}

export const TELL_LOOK =
  "h-6 text-xs text-ink-2 underline decoration-control underline-offset-3 hover:text-ink max-sm:h-[34px]";
