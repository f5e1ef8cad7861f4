import { useId } from "react";

/**
 * A labelled field for one file.
 * @param accept as of an input: ".csv,text/csv"
 */
export function FileField({
  label,
  accept,
  isDisabled,
  onChoose,
}: {
  label: string;
  accept: string;
  isDisabled: boolean;
  onChoose: (file: File | undefined) => void;
}) {
  const id = useId();
  return (
    <>
      <label htmlFor={id} className="mt-3 block text-xs font-medium text-ink">
        {label}
      </label>
      <input
        id={id}
        type="file"
        accept={accept}
        disabled={isDisabled}
        className="mt-[5px] block w-full text-ink file:mr-3 file:h-[30px] file:rounded file:border file:border-control file:bg-surface file:px-3 file:font-medium file:hover:bg-row-hover max-sm:file:h-11"
        onChange={({ target }) => onChoose(target.files?.[0])}
      />
    </>
  );
}
