import { WEEKDAYS, type Weekday } from "@/lib/domain/quiet/planned-quiet";
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
    <div role="group" aria-label={label} className="rule-days">
      {WEEKDAYS.map((day) => {
        const isChosen = days.includes(day);
        return (
          <button
            key={day}
            type="button"
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
