import { useId, useState, type ReactNode, type RefObject } from "react";
import { Button } from "@/components/ui/button";
import Dialog from "@/components/ui/dialog";
import { formProblem, FormFields, type FormProblem } from "./field-problem";
import { invalidFields } from "./invalid-field";

/**
 * A form in a dialog, with its submit button.
 * @param sentence its purpose
 * @param save label of its button
 * @param problem why it failed, or what is missing; null: nothing
 * @param initialFocus as of `Dialog`
 * @param foot after the problem
 * @param over dialogs over this one
 */
export function DialogForm({
  title,
  sentence,
  closeLabel,
  save,
  isDisabled = false,
  isBusy = false,
  problem,
  className,
  initialFocus,
  onSubmit,
  onClose,
  children,
  foot,
  over,
}: {
  title: string;
  sentence?: string;
  closeLabel: string;
  save: string;
  isDisabled?: boolean;
  /** It is being sent. */
  isBusy?: boolean;
  problem: FormProblem | null;
  /** Sets its width. */
  className?: string;
  initialFocus?: RefObject<HTMLElement | null>;
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
  foot?: ReactNode;
  over?: ReactNode;
}) {
  const form = useId();
  const [invalid, setInvalid] = useState<FormProblem | null>(null);
  return (
    <Dialog
      title={title}
      closeLabel={closeLabel}
      onClose={onClose}
      {...(className !== undefined && { className })}
      {...(initialFocus !== undefined && { initialFocus })}
      actions={
        <Button
          type="submit"
          form={form}
          look="primary"
          disabled={isDisabled}
          isBusy={isBusy}
          className="min-w-0"
        >
          <span className="max-w-[240px] truncate">{save}</span>
        </Button>
      }
    >
      {sentence === undefined ? null : <p className="-mt-2 mb-4">{sentence}</p>}
      <form
        id={form}
        className="text-ink"
        // What is wrong stands at its field.
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const found = formProblem(invalidFields(event.currentTarget));
          setInvalid(found);
          if (found === null) onSubmit();
        }}
      >
        <FormFields problem={invalid ?? problem}>{children}</FormFields>
        {foot}
      </form>
      {over}
    </Dialog>
  );
}
