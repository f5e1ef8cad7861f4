import { Button } from "@/components/ui/button";
import type { MyAlarmLoad } from "@/lib/contracts/alarm-load/alarm-load";
import { changeText, loadWords as words, rateText, type Change, type Unit } from "./load-words";

/**
 * Changes that would have been quieter.
 * @param unit of what they are compared with
 * @param onUse puts a change into the form; null: there is none
 */
export function Suggestions({
  suggestions,
  unit,
  onUse,
}: {
  suggestions: MyAlarmLoad["suggestions"];
  unit: Unit;
  onUse: ((change: Change) => void) | null;
}) {
  return (
    <>
      <h3 className="mt-3 text-xs font-medium">
        {words.quieter} <span className="font-normal text-ink-2">{words.quieterNote}</span>
      </h3>
      <ul>
        {suggestions.map(({ change, ...rate }) => {
          const text = changeText(change);
          return (
            <li
              key={text}
              className="flex min-h-[36px] items-center gap-3 border-t border-line py-1"
            >
              <b className="font-medium">{text}</b>
              <span className="flex-1 text-ink-2">{words.wouldBe(rateText(rate, unit))}</span>
              {onUse === null ? null : (
                <Button aria-label={words.applyLabel(text)} onClick={() => onUse(change)}>
                  {words.apply}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}
