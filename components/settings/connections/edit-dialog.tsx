"use client";

import { ZoneField } from "@/components/shell/time/zone-field";
import { useId, useState } from "react";
import { ResourceForm } from "@/components/resource/resource-form";
import type { Refused } from "@/components/session/refused";
import { Field, FIELD_CONTROL, LabelledField } from "@/components/ui/form/field";
import { OwnerSelect } from "./owner-select";
import { ConnectionChange, type ConnectionView } from "@/lib/contracts/connections";
import { changeOf, keptChange, type EditDraft } from "./change-draft";
import { editDialog as words, proofWords } from "./change-words";

/**
 * Edits what can be changed without the secret. Default export for `lazyPart`.
 * @param first initial draft
 * @param onChange resolves to null on success, else to the reason
 */
export default function EditDialog({
  connection,
  first,
  onChange,
  onClose,
}: {
  connection: ConnectionView;
  first: EditDraft;
  onChange: (change: ReturnType<typeof changeOf>) => Promise<Refused | null>;
  onClose: () => void;
}) {
  const ownerId = useId();
  const [draft, setDraft] = useState(first);
  const write = (changes: Partial<EditDraft>) => setDraft({ ...draft, ...changes });
  const change = changeOf(draft, connection);
  return (
    <ResourceForm
      title={words.title(connection.name)}
      closeLabel={words.cancel}
      save={words.save}
      schema={ConnectionChange}
      value={change}
      problemOf={() => words.lacks}
      proof={proofWords.edit}
      kept={() => keptChange({ dialog: "edit", slug: connection.slug, draft })}
      onSend={onChange}
      onClose={onClose}
    >
      <Field
        label={words.name}
        name="name"
        required
        maxLength={200}
        autoComplete="off"
        value={draft.name}
        onChange={({ target }) => write({ name: target.value })}
      />
      <LabelledField id={ownerId} label={words.owner}>
        <OwnerSelect
          id={ownerId}
          company={connection.slug}
          value={draft.owner}
          current={connection.owner}
          className={FIELD_CONTROL}
          onChange={(owner) => write({ owner })}
        />
      </LabelledField>
      <div className="mb-3">
        <p className="text-xs font-medium" aria-hidden="true">
          {words.timeZone}
        </p>
        <ZoneField
          label={words.timeZone}
          value={draft.timeZone}
          onChange={(timeZone) => write({ timeZone })}
        />
      </div>
      <Field
        label={words.externalId}
        name="external_id"
        maxLength={100}
        autoComplete="off"
        value={draft.externalId}
        onChange={({ target }) => write({ externalId: target.value })}
      />
      <p className="text-xs text-ink-2">{words.note}</p>
    </ResourceForm>
  );
}
