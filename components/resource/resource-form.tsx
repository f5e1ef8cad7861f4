import type { ReactNode } from "react";
import { config, type z } from "zod";
import { Proof, type ProofWords } from "@/components/session/proof";
import type { Refused } from "@/components/session/refused";
import { DialogForm } from "@/components/ui/form/dialog-form";
import { useSending } from "@/components/ui/form/use-sending";
import type { ResumableDialog } from "@/lib/client/resumable-dialog";

// Before any schema is made: the content security policy refuses the code that zod would compile.
config({ jitless: true });

/**
 * A form in a dialog. It validates with the schema of the request, and reauthenticates the person where sending it
 * needs that.
 * @param save label of its button
 * @param value the request as the form has it now; sent as it is, since the server parses it too
 * @param problemOf a sentence for the first field that is wrong; `isMissing`: it is empty
 * @param kept the dialog as it is reopened after a visit to the identity provider
 * @param onSend resolves to null when it was done, else to why it wasn't
 * @param foot below the problem, if there is one
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
  onSend: (value: Value) => Promise<Refused | null>;
  onClose: () => void;
  children: ReactNode;
  foot?: ReactNode;
}) {
  const { isBusy, refused, setRefused, send } = useSending(() => onSend(value));
  const submit = () => {
    const [issue] = schema.safeParse(value).error?.issues ?? [];
    if (issue === undefined) void send();
    else setRefused({ problem: problemOf(issue.path, isEmpty(valueAt(value, issue.path))) });
  };
  return (
    <DialogForm
      title={title}
      closeLabel={closeLabel}
      save={save}
      isDisabled={isBusy}
      problem={refused === null || refused === "needs-reauthentication" ? null : refused.problem}
      className="w-[560px]"
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
