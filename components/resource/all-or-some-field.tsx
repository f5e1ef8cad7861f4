import { ChipField } from "@/components/ui/form/chip-field";

const ALL = "*";

/**
 * All companies, future ones too, or some of them. The same of partners.
 * @param words.all stands for all of them; `words.add`: label of the choice
 * @param chosen values; one that is no option any more stays until it is removed
 */
export function AllOrSomeField({
  label,
  isLabelElsewhere = false,
  words,
  options,
  chosen,
  onChange,
}: {
  label: string;
  isLabelElsewhere?: boolean;
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

/** Companies as they are chosen from. */
export const companyOptions = (companies: readonly { slug: string; name: string }[]) =>
  companies.map(({ slug, name }) => ({ value: slug, label: name }));
