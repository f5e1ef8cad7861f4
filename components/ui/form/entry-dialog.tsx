import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { DialogForm } from "./dialog-form";
import type { FormProblem } from "./field-problem";
import { useSending } from "./use-sending";

/**
 * A dialog that enters, changes or removes one thing, and closes once that is done.
 * @param remove label of the button that removes it; null: there is none yet
 * @param onSave resolves to null on success, else to what is wrong; never rejects. `onRemove` likewise
 * @param children the fields; `edited` clears what was wrong with the values sent before
 */
export function EntryDialog({
  title,
  sentence,
  closeLabel,
  save,
  remove,
  isDisabled = false,
  onSave,
  onRemove,
  onClose,
  children,
}: {
  title: string;
  sentence: string;
  closeLabel: string;
  save: string;
  remove: string | null;
  isDisabled?: boolean;
  onSave: () => Promise<FormProblem | null>;
  onRemove: () => Promise<FormProblem | null>;
  onClose: () => void;
  children: (edited: () => void) => ReactNode;
}) {
  const closing = async (done: Promise<FormProblem | null>) => {
    const refused = await done;
    if (refused === null) onClose();
    return refused;
  };
  const saving = useSending(() => closing(onSave()));
  const removing = useSending(() => closing(onRemove()));
  const isBusy = saving.isBusy || removing.isBusy;
  return (
    <DialogForm
      title={title}
      sentence={sentence}
      closeLabel={closeLabel}
      save={save}
      isDisabled={isDisabled}
      isBusy={isBusy}
      problem={saving.refused ?? removing.refused}
      onSubmit={() => {
        removing.setRefused(null);
        void saving.send();
      }}
      onClose={onClose}
      foot={
        remove === null ? null : (
          <Button
            className="mt-3"
            isBusy={isBusy}
            onClick={() => {
              saving.setRefused(null);
              void removing.send();
            }}
          >
            {remove}
          </Button>
        )
      }
    >
      {children(() => saving.setRefused(null))}
    </DialogForm>
  );
}
