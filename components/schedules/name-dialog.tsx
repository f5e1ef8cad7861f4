"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLiveCompany } from "@/components/shell/live-company";
import { Button } from "@/components/ui/button";
import { DialogForm } from "@/components/ui/form/dialog-form";
import { Field } from "@/components/ui/form/field";
import { useSending } from "@/components/ui/form/use-sending";
import { statusOf } from "@/lib/client/api";
import { nameIntegration } from "@/lib/client/queries/schedule-files";
import type { NamedIntegration } from "@/lib/contracts/schedule-files";
import { nameDialog, nameRefusal } from "./project-words";

const MOST_CHARACTERS = 60;

/** Names an integration, or removes its name. Default export for `lazyPart`. */
export default function NameDialog({
  integration: { partner_token_id: id, name: before },
  onClose,
}: {
  integration: NamedIntegration;
  onClose: () => void;
}) {
  const { slug } = useLiveCompany();
  const client = useQueryClient();
  const [name, setName] = useState(before ?? "");
  const [problem, setProblem] = useState<string | null>(null);
  const change = async (wanted: string | null): Promise<string | null> => {
    setProblem(null);
    try {
      await nameIntegration(client, slug, id, wanted);
      onClose();
      return null;
    } catch (error) {
      return nameRefusal(statusOf(error));
    }
  };
  const saving = useSending(() => change(name.trim()));
  const removing = useSending(() => change(null));
  const isBusy = saving.isBusy || removing.isBusy;
  const submit = () => {
    if (name.trim() === "") setProblem(nameDialog.missing);
    else void saving.send();
  };
  return (
    <DialogForm
      title={nameDialog.title(id)}
      sentence={nameDialog.sentence}
      closeLabel={nameDialog.cancel}
      save={nameDialog.save}
      isDisabled={isBusy}
      problem={problem ?? saving.refused ?? removing.refused}
      onSubmit={submit}
      onClose={onClose}
      foot={
        before === null ? null : (
          <Button
            className="mt-3"
            disabled={isBusy}
            onClick={() => {
              saving.setRefused(null);
              void removing.send();
            }}
          >
            {nameDialog.remove}
          </Button>
        )
      }
    >
      <Field
        label={nameDialog.name}
        autoComplete="off"
        maxLength={MOST_CHARACTERS}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
    </DialogForm>
  );
}
