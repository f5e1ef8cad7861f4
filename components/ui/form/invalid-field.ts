/** The first control of a form that may not be sent as it is, which is focused, and why; null: none. */
export function invalidField(form: HTMLFormElement): { problem: string; field: string } | null {
  const controls = [...form.elements].filter(
    (one) =>
      one instanceof HTMLInputElement ||
      one instanceof HTMLSelectElement ||
      one instanceof HTMLTextAreaElement,
  );
  const control = controls.find(({ willValidate, validity }) => willValidate && !validity.valid);
  if (control === undefined) return null;
  control.focus();
  return { problem: problemOf(control), field: control.name };
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

function problemOf(control: Control): string {
  const { labels, validity, validationMessage } = control;
  if (validity.customError) return validationMessage;
  const label = labels?.[0]?.textContent.trim() ?? "This";
  if (validity.valueMissing) return `${label} can’t be empty.`;
  return validity.tooShort && "minLength" in control
    ? `${label} needs at least ${control.minLength} characters.`
    : `${label} isn’t valid.`;
}
