import { Field } from "@/components/ui/form/field";
import { fields } from "./words";

/** A person's name. */
export function NameField({ value, onType }: { value: string; onType: (name: string) => void }) {
  return (
    <Field
      label={fields.name}
      name="name"
      required
      maxLength={80}
      autoComplete="off"
      value={value}
      onChange={({ target }) => onType(target.value)}
    />
  );
}
