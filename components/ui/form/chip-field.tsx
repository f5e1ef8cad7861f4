import { useId } from "react";
import { FieldProblem, invalidControl, useFieldProblem, wrongField } from "./field-problem";

/**
 * A multi-select: a removable chip per chosen value, and a select of the others.
 * @param label of the whole; shown above it, unless it `isLabelElsewhere`
 * @param name of the form's field
 * @param add label of the select
 * @param remove label of a chip, by its name
 * @param chosen values; unknown ones are shown as they are
 */
export function ChipField({
  label,
  isLabelElsewhere = false,
  name,
  add,
  remove,
  options,
  chosen,
  isAllChosen = false,
  onAdd,
  onRemove,
}: {
  label: string;
  isLabelElsewhere?: boolean;
  name?: string;
  add: string;
  remove: (name: string) => string;
  options: readonly { value: string; label: string }[];
  chosen: readonly string[];
  /** Nothing is left to be added. */
  isAllChosen?: boolean;
  onAdd: (value: string) => void;
  onRemove: (value: string) => void;
}) {
  const id = useId();
  const wrong = useFieldProblem(name);
  const left = isAllChosen ? [] : options.filter(({ value }) => !chosen.includes(value));
  const nameOf = (one: string) => options.find(({ value }) => value === one)?.label ?? one;
  return (
    <div
      className={isLabelElsewhere ? "flex-[1_0_100%]" : undefined}
      role="group"
      {...wrongField(wrong)}
      aria-label={isLabelElsewhere ? label : undefined}
      aria-labelledby={isLabelElsewhere ? undefined : id}
    >
      {isLabelElsewhere ? null : (
        <span id={id} className="text-xs font-medium">
          {label}
        </span>
      )}
      <div
        className={`flex flex-wrap items-center gap-1.5 rounded border border-control px-2 ${isLabelElsewhere ? "min-h-8 bg-surface py-[3px]" : "mt-[5px] min-h-[38px] py-[5px]"}`}
      >
        {chosen.map((value) => (
          <button
            key={value}
            type="button"
            className="inline-flex min-h-6 items-center gap-1.5 rounded-[2px] border border-line-strong bg-sunken px-[7px] text-xs/4.5"
            aria-label={remove(nameOf(value))}
            onClick={() => onRemove(value)}
          >
            <bdi>{nameOf(value)}</bdi>
            <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden="true">
              <path d="M1 1l6 6M7 1 1 7" fill="none" stroke="currentColor" strokeWidth="1.2" />
            </svg>
          </button>
        ))}
        {left.length === 0 ? null : (
          <select
            aria-label={add}
            {...(wrong && invalidControl(id))}
            className="h-[26px] min-w-[130px] flex-1 bg-surface text-ink-2"
            value=""
            onChange={({ target }) => onAdd(target.value)}
          >
            <option value="">{add}</option>
            {left.map(({ value, label: shown }) => (
              <option key={value} value={value}>
                {shown}
              </option>
            ))}
          </select>
        )}
      </div>
      {wrong === null ? null : <FieldProblem id={id}>{wrong.problem}</FieldProblem>}
    </div>
  );
}
