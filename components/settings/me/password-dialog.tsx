"use client";

import { useRef } from "react";
import { formProblemIn, type Refused } from "@/components/session/refused";
import { DialogForm } from "@/components/ui/form/dialog-form";
import { Field } from "@/components/ui/form/field";
import { useSending } from "@/components/ui/form/use-sending";
import type { PasswordChange } from "@/lib/contracts/me";
import { passwordDialog as words } from "./words";

/**
 * Changes the person's own password. Default export for `lazyPart`.
 * @param onSave resolves to null on success, else to the reason
 */
export default function PasswordDialog({
  email,
  onSave,
  onClose,
}: {
  email: string;
  onSave: (change: PasswordChange) => Promise<Refused | null>;
  onClose: () => void;
}) {
  const fields = useRef<HTMLDivElement>(null);
  const valueOf = (name: string) =>
    fields.current?.querySelector<HTMLInputElement>(`[name=${name}]`)?.value ?? "";
  const { isBusy, refused, send } = useSending(async (): Promise<Refused | null> => {
    const next = valueOf("next");
    if (next !== valueOf("again")) return { problem: words.different, field: "again" };
    return onSave({ current: valueOf("current"), next });
  });
  return (
    <DialogForm
      title={words.title}
      closeLabel={words.cancel}
      save={words.save}
      isBusy={isBusy}
      problem={formProblemIn(refused)}
      onSubmit={() => void send()}
      onClose={onClose}
    >
      <div ref={fields}>
        <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
        <Field
          label={words.current}
          name="current"
          type="password"
          autoComplete="current-password"
          required
          data-missing={words.missing.current}
          maxLength={1000}
        />
        <Field
          label={words.next}
          name="next"
          type="password"
          autoComplete="new-password"
          required
          data-missing={words.missing.next}
          minLength={12}
          maxLength={200}
        />
        <Field
          label={words.again}
          name="again"
          type="password"
          autoComplete="new-password"
          required
          data-missing={words.missing.again}
          maxLength={200}
        />
        <p className="text-xs text-ink-2">{words.rule}</p>
      </div>
    </DialogForm>
  );
}
