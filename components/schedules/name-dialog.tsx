"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLiveCompany } from "@/components/shell/live-company";
import { EntryDialog } from "@/components/ui/form/entry-dialog";
import { Field } from "@/components/ui/form/field";
import { statusOf } from "@/lib/client/api";
import { nameIntegration } from "@/lib/client/queries/schedule-files";
import type { NamedIntegration } from "@/lib/contracts/schedule-files";
import { nameDialog, nameRefusal } from "./project-words";

const MAX_CHARACTERS = 60;

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
  const change = async (wanted: string | null): Promise<string | null> => {
    try {
      await nameIntegration(client, slug, id, wanted);
      return null;
    } catch (error) {
      return nameRefusal(statusOf(error));
    }
  };
  const wanted = name.trim();
  return (
    <EntryDialog
      title={nameDialog.title(id)}
      sentence={nameDialog.sentence}
      closeLabel={nameDialog.cancel}
      save={nameDialog.save}
      remove={before === null ? null : nameDialog.remove}
      onSave={async () =>
        wanted === "" ? { problem: nameDialog.missing, field: "name" } : change(wanted)
      }
      onRemove={() => change(null)}
      onClose={onClose}
    >
      {() => (
        <Field
          label={nameDialog.name}
          name="name"
          autoComplete="off"
          maxLength={MAX_CHARACTERS}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
      )}
    </EntryDialog>
  );
}
