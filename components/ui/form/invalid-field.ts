import type { NamedProblem } from "./typed-input";

/** The controls of a form that may not be sent as they are, the first of which is focused, and why. */
export function invalidFields(form: HTMLFormElement): NamedProblem[] {
  const controls = [...form.elements].filter(
    (one) =>
      one instanceof HTMLInputElement ||
      one instanceof HTMLSelectElement ||
      one instanceof HTMLTextAreaElement,
  );
  const invalid = controls.filter(({ willValidate, validity }) => willValidate && !validity.valid);
  invalid[0]?.focus();
  return invalid.map((control) => ({ problem: problemOf(control), field: control.name }));
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** What `problemOf` reads of a control. `data-missing` says what to do while it is empty. */
type Invalid = Pick<Control, "type" | "validationMessage"> & {
  validity: Pick<ValidityState, "customError" | "valueMissing" | "tooShort">;
  labels: ArrayLike<Pick<HTMLLabelElement, "textContent">> | null;
  dataset: DOMStringMap;
  minLength?: number;
};

export function problemOf(control: Invalid): string {
  const { labels, validity, validationMessage, dataset, minLength } = control;
  if (validity.customError) return validationMessage;
  if (validity.valueMissing)
    return (
      dataset["missing"] ??
      (control.type === "select-one" ? "Choose an option." : "Fill in this field.")
    );
  const label = labels?.[0]?.textContent.trim() ?? "This";
  return validity.tooShort && minLength !== undefined
    ? `${label} needs at least ${minLength} characters.`
    : `${label} isn’t valid.`;
}
