import { useId } from "react";
import "./chip-field.css";

/**
 * A multi-select: a removable chip per chosen value, and a select of the others.
 * @param label of the whole; shown above it, unless it `isLabelElsewhere`
 * @param add label of the select
 * @param remove label of a chip, by its name
 * @param chosen values; unknown ones are shown as they are
 */
export function ChipField({
  label,
  isLabelElsewhere = false,
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
  const left = isAllChosen ? [] : options.filter(({ value }) => !chosen.includes(value));
  const nameOf = (one: string) => options.find(({ value }) => value === one)?.label ?? one;
  return (
    <div
      role="group"
      aria-label={isLabelElsewhere ? label : undefined}
      aria-labelledby={isLabelElsewhere ? undefined : id}
    >
      {isLabelElsewhere ? null : (
        <span id={id} className="text-xs font-medium">
          {label}
        </span>
      )}
      <div className="chip-field">
        {chosen.map((value) => (
          <button
            key={value}
            type="button"
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
          <select aria-label={add} value="" onChange={({ target }) => onAdd(target.value)}>
            <option value="">{add}</option>
            {left.map(({ value, label: name }) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        )}
      </div>
    </div>
  );
}
