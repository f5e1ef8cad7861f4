import { useId, type ReactNode } from "react";
import { Button } from "@/components/ui/button";
import Dialog from "@/components/ui/dialog";
import { FormFields, type FormProblem } from "./field-problem";

/**
 * A form in a dialog, with its submit button.
 * @param sentence its purpose
 * @param save label of its button
 * @param problem why it failed, or what is missing; null: nothing
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
  onSubmit: () => void;
  onClose: () => void;
  children: ReactNode;
  foot?: ReactNode;
  over?: ReactNode;
}) {
  const form = useId();
  return (
    <Dialog
      title={title}
      closeLabel={closeLabel}
      onClose={onClose}
      {...(className !== undefined && { className })}
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
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        <FormFields problem={problem}>{children}</FormFields>
        {foot}
      </form>
      {over}
    </Dialog>
  );
}
