import { useZone } from "@/components/shell/time/zone";
import { useNow } from "@/lib/client/use-now";
import { moment } from "@/lib/domain/words/format";
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
      className="h-6 rounded border border-ink bg-ink px-[7px] text-xs font-medium text-ink-inverse focus-visible:outline-offset-1 disabled:border-sunken disabled:bg-sunken disabled:text-ink-3 max-sm:h-[34px]"
      aria-label={words.takeLabel(what)}
      disabled={isBusy}
      onClick={onTake}
    >
      {words.take}
    </button>
  );
}

/**
 * Opens what to tell the customer of a line, and says when the customer was told last. The key T presses it.
 * @param given.what the line
 * @param given.toldAt ISO 8601, on our clock; null: the customer wasn't told
 */
export function TellButton({
  what,
  toldAt,
  onTell,
}: {
  what: string;
  toldAt: string | null;
  onTell: () => void;
}) {
  const timeZone = useZone();
  const told = useNow((nowMs) =>
    toldAt === null ? null : words.told(moment(Date.parse(toldAt), nowMs, timeZone)),
  );
  return (
    <button
      type="button"
      data-tell
      className={TELL_LOOK}
      aria-label={told === null ? words.tellLabel(what) : words.toldLabel(what, told)}
      onClick={onTell}
    >
      {told === null ? words.tell : <Told text={told} />}
    </button>
  );
}

/** That customers were told. */
export function Told({ text }: { text: string }) {
  return (
    <span className="whitespace-nowrap">
      <span aria-hidden="true">✓ </span>
      {text}
    </span>
  );
}

export const TELL_LOOK =
  "h-6 text-xs text-ink-2 underline decoration-control underline-offset-3 hover:text-ink max-sm:h-[34px]";
