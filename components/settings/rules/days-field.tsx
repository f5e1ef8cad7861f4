import { WEEKDAYS, type Weekday } from "@/lib/domain/time/weekdays";
import { DAY_LETTER, DAY_NAME } from "./words";

/** Toggle buttons for the days of the week. @param label of the group */
export function DaysField({
  label,
  days,
  onChange,
}: {
  label: string;
  days: readonly Weekday[];
  onChange: (days: Weekday[]) => void;
}) {
  return (
    <div
      role="group"
      aria-label={label}
      className="flex overflow-hidden rounded border border-control"
    >
      {WEEKDAYS.map((day) => {
        const isChosen = days.includes(day);
        return (
          <button
            key={day}
            type="button"
            className="size-7 border-l border-control bg-surface font-medium text-ink-2 first:border-l-0 focus-visible:-outline-offset-4 aria-pressed:bg-ink aria-pressed:text-ink-inverse max-sm:h-11 max-sm:w-9"
            aria-label={DAY_NAME[day]}
            aria-pressed={isChosen}
            onClick={() =>
              onChange(WEEKDAYS.filter((one) => (one === day ? !isChosen : days.includes(one))))
            }
          >
            {DAY_LETTER[day]}
          </button>
        );
      })}
    </div>
  );
}
