import "./without-eval";
import type { ReactNode, RefObject } from "react";
import type { z } from "zod";
import { Proof, type ProofWords } from "@/components/session/proof";
import { formProblemIn, type Refused } from "@/components/session/refused";
import { DialogForm } from "@/components/ui/form/dialog-form";
import { formProblem } from "@/components/ui/form/field-problem";
import { useSending } from "@/components/ui/form/use-sending";
import type { ResumableDialog } from "@/lib/client/resumable-dialog";

/**
 * A form in a dialog. Validates with the schema of the request, and reauthenticates the person if the request
 * requires it.
 * @param save label of the submit button
 * @param value the current request; sent unparsed, since the server parses it too
 * @param problemOf message for an invalid field, which shows it if it has its path as a name, "settings.url";
 *   `isMissing`: it is empty
 * @param kept state to restore after signing in at the identity provider
 * @param onSend resolves to null on success, else to the reason
 * @param initialFocus as of `Dialog`
 * @param foot below the message
 */
export function ResourceForm<Value>({
  title,
  closeLabel,
  save,
  schema,
  value,
  problemOf,
  proof,
  kept,
  initialFocus,
  onSend,
  onClose,
  children,
  foot,
}: {
  title: string;
  closeLabel: string;
  save: string;
  schema: z.ZodType;
  value: Value;
  problemOf: (path: readonly PropertyKey[], isMissing: boolean) => string;
  proof: ProofWords;
  kept: () => ResumableDialog;
  initialFocus?: RefObject<HTMLElement | null>;
  onSend: (value: Value) => Promise<Refused | null>;
  onClose: () => void;
  children: ReactNode;
  foot?: ReactNode;
}) {
  const { isBusy, refused, setRefused, send } = useSending(() => onSend(value));
  const submit = () => {
    const issues = schema.safeParse(value).error?.issues ?? [];
    const wrong = formProblem(
      issues.map(({ path }) => ({
        problem: problemOf(path, isEmpty(valueAt(value, path))),
        field: path.join("."),
      })),
    );
    if (wrong === null) void send();
    else setRefused(wrong);
  };
  return (
    <DialogForm
      title={title}
      closeLabel={closeLabel}
      save={save}
      isBusy={isBusy}
      problem={formProblemIn(refused)}
      className="w-[560px]"
      {...(initialFocus !== undefined && { initialFocus })}
      onSubmit={submit}
      onClose={onClose}
      foot={foot}
      over={
        <Proof
          isWanted={refused === "needs-reauthentication"}
          words={proof}
          kept={kept}
          onProven={() => void send()}
          onBack={() => setRefused(null)}
        />
      }
    >
      {children}
    </DialogForm>
  );
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key],
    value,
  );
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}
