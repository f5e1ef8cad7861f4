import { useId } from "react";

/** Radio buttons with a line of explanation each. */
export function ChoiceCards<T extends string>({
  label,
  name,
  options,
  value,
  onChange,
}: {
  label: string;
  /** Of the form's field. */
  name: string;
  options: readonly { value: T; label: string; hint: string }[];
  value: T;
  onChange: (value: T) => void;
}) {
  const id = useId();
  return (
    <fieldset>
      <legend className="mb-[5px] text-xs font-medium">{label}</legend>
      <div className="border border-line-strong">
        {options.map((option) => (
          <label
            key={option.value}
            aria-label={option.label}
            className="grid grid-cols-[18px_1fr] gap-x-2 border-t border-line px-2.5 py-2 first:border-t-0 has-checked:bg-sunken"
          >
            <input
              type="radio"
              aria-labelledby={`${id}-${option.value}`}
              aria-describedby={`${id}-${option.value}-hint`}
              name={name}
              value={option.value}
              checked={value === option.value}
              onChange={() => onChange(option.value)}
              className="mt-0.5 size-3.5 appearance-none rounded-full border border-control checked:border-[4.5px] checked:border-ink"
            />
            <b id={`${id}-${option.value}`} className="font-medium">
              {option.label}
            </b>
            <small id={`${id}-${option.value}-hint`} className="col-start-2 text-xs text-ink-2">
              {option.hint}
            </small>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
