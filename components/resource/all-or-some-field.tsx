import { ChipField } from "@/components/ui/form/chip-field";

const ALL = "*";

/**
 * All companies (or partners), including future ones, or a selection of them.
 * @param words.all label of the option for all; `words.add`: label of the select
 * @param chosen values; a value that is no longer an option remains until removed
 */
export function AllOrSomeField({
  label,
  isLabelElsewhere = false,
  name,
  words,
  options,
  chosen,
  onChange,
}: {
  label: string;
  isLabelElsewhere?: boolean;
  /** Of the form's field. */
  name?: string;
  words: { all: string; add: string; remove: (name: string) => string };
  options: readonly { value: string; label: string }[];
  chosen: "all" | readonly string[];
  onChange: (chosen: "all" | string[]) => void;
}) {
  const isAll = chosen === "all";
  const some = isAll ? [] : chosen;
  return (
    <ChipField
      label={label}
      isLabelElsewhere={isLabelElsewhere}
      {...(name !== undefined && { name })}
      add={words.add}
      remove={words.remove}
      options={[{ value: ALL, label: words.all }, ...options]}
      chosen={isAll ? [ALL] : some}
      isAllChosen={isAll}
      onAdd={(value) => onChange(value === ALL ? "all" : [...some, value])}
      onRemove={(value) => onChange(some.filter((one) => one !== value))}
    />
  );
}

/** Companies as options. */
export const companyOptions = (companies: readonly { slug: string; name: string }[]) =>
  companies.map(({ slug, name }) => ({ value: slug, label: name }));
