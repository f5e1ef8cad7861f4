"use client";

import { useState } from "react";
import { ResourceForm } from "@/components/resource/resource-form";
import type { Refused } from "@/components/session/refused";
import { CheckList } from "./check-list";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/form/field";
import { ConnectionChange, type CheckStep, type ConnectionView } from "@/lib/contracts/connections";
import { keptChange, secretChangeOf, type SecretDraft } from "./change-draft";
import { proofWords, secretDialog as words } from "./change-words";

/**
 * Replaces the secret, and with it the address or client if they change. Default export for `lazyPart`.
 * @param onChange resolves to null on success, else to the reason, with the steps of a failed check
 */
export default function SecretDialog({
  connection,
  onChange,
  onClose,
}: {
  connection: ConnectionView;
  onChange: (
    change: ReturnType<typeof secretChangeOf>,
  ) => Promise<{ refused: Refused; steps: readonly CheckStep[] | null } | null>;
  onClose: () => void;
}) {
  const [draft, setDraft] = useState<SecretDraft>({
    baseUrl: connection.base_url,
    clientId: connection.client_id,
    clientSecret: "",
  });
  const [steps, setSteps] = useState<readonly CheckStep[] | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const write = (changes: Partial<SecretDraft>) => {
    setSteps(null);
    setDraft({ ...draft, ...changes });
  };
  const send = async (more: { save_anyway?: boolean } = {}) => {
    setSteps(null);
    setIsBusy(true);
    const failed = await onChange({ ...secretChangeOf(draft, connection), ...more });
    setIsBusy(false);
    setSteps(failed?.steps ?? null);
    return failed?.refused ?? null;
  };
  const field = (name: keyof SecretDraft) => ({
    required: true,
    maxLength: 2_000,
    autoComplete: "off",
    spellCheck: false,
    value: draft[name],
    onChange: ({ target }: { target: HTMLInputElement }) => write({ [name]: target.value }),
  });
  return (
    <ResourceForm
      title={words.title(connection.name)}
      closeLabel={words.cancel}
      save={words.save}
      schema={ConnectionChange}
      value={secretChangeOf(draft, connection)}
      problemOf={(_, isMissing) => (isMissing ? words.lacks : words.invalid)}
      proof={proofWords.secret}
      kept={() => keptChange({ dialog: "secret", slug: connection.slug })}
      onSend={() => send()}
      onClose={onClose}
      foot={
        steps === null ? null : (
          <div className="mt-3">
            <CheckList steps={steps} stepSinceMs={null} />
            <Button
              className="mt-3"
              isBusy={isBusy}
              onClick={() => void send({ save_anyway: true })}
            >
              {words.saveAnyway}
            </Button>
          </div>
        )
      }
    >
      <Field label={words.baseUrl} name="base_url" {...field("baseUrl")} inputMode="url" />
      <Field label={words.clientId} name="client_id" {...field("clientId")} />
      <Field
        label={words.secret}
        name="client_secret"
        {...field("clientSecret")}
        type="password"
        autoComplete="new-password"
      />
      <p className="text-xs text-ink-2">{words.note}</p>
    </ResourceForm>
  );
}
