"use client";

import { useState } from "react";
import { ResourceForm } from "@/components/resource/resource-form";
import type { Refused } from "@/components/session/refused";
import { ZoneField } from "@/components/shell/time/zone-field";
import { CopyButton } from "@/components/ui/copy-button";
import { Field } from "@/components/ui/form/field";
import { SelectField } from "@/components/ui/form/select-field";
import type { ChannelChange, ChannelRequest } from "@/lib/client/queries/channels";
import type { Channel } from "@/lib/contracts/delivery";
import { CHANNEL_KINDS, type ChannelKind } from "@/lib/domain/delivery/channel";
import { CHANNEL_FIELDS, changeOf, keptChannels, requestOf, type ChannelDraft } from "./draft";
import { changeSchema, newSchema } from "./schemas";
import { slackManifest } from "./slack-manifest";
import {
  FIELD_WORDS,
  KIND_LABEL,
  formDialog as words,
  proofWords,
  refusal,
  slackSetUp,
} from "./words";

const LONGEST_NAME = 80;
const LONGEST_VALUE = 2000;

/**
 * Edits one channel: its kind and destination. Default export for `lazyPart`.
 * @param channel null: a new channel
 * @param first initial draft
 * @param onAdd like `onChange`, resolves to null on success, else to the reason
 */
export default function ChannelDialog({
  channel,
  first,
  onAdd,
  onChange,
  onClose,
}: {
  channel: Channel | null;
  first: ChannelDraft;
  onAdd: (request: ChannelRequest) => Promise<Refused | null>;
  onChange: (id: string, change: ChannelChange) => Promise<Refused | null>;
  onClose: () => void;
}) {
  const [draft, setDraft] = useState(first);
  const { kind, name, settings, timeZone } = draft;
  const isNew = channel === null;
  return (
    <ResourceForm
      title={isNew ? words.title : words.titleOf(channel.name)}
      closeLabel={words.cancel}
      save={isNew ? words.add : words.save}
      schema={isNew ? newSchema(kind) : changeSchema(kind)}
      value={isNew ? requestOf(draft) : changeOf(draft, channel)}
      problemOf={(_, isMissing) => (isMissing ? words.lacks : refusal(400))}
      proof={isNew ? proofWords.add : proofWords.edit}
      kept={() => keptChannels({ dialog: "form", channel: channel?.id ?? null, draft })}
      onSend={() =>
        isNew ? onAdd(requestOf(draft)) : onChange(channel.id, changeOf(draft, channel))
      }
      onClose={onClose}
    >
      {isNew ? (
        <SelectField
          label={words.kind}
          value={kind}
          onChange={({ target }) =>
            setDraft({ ...draft, kind: target.value as ChannelKind, settings: {} })
          }
        >
          {CHANNEL_KINDS.map((one) => (
            <option key={one} value={one}>
              {KIND_LABEL[one]}
            </option>
          ))}
        </SelectField>
      ) : null}
      {isNew && kind === "slack_app" ? (
        <div role="group" aria-label={slackSetUp.label} className="mb-3 text-xs text-ink-2">
          <ol className="mb-2 list-decimal pl-4">
            {slackSetUp.steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          <CopyButton text={() => slackManifest(window.location.host)}>
            {slackSetUp.copy}
          </CopyButton>
        </div>
      ) : null}
      <Field
        label={words.name}
        required
        maxLength={LONGEST_NAME}
        autoComplete="off"
        value={name}
        onChange={({ target }) => setDraft({ ...draft, name: target.value })}
      />
      {CHANNEL_FIELDS[kind].map(({ key, isSecret, isOptional }) => {
        const { label, example, hint } = FIELD_WORDS[kind][key] ?? { label: key, example: "" };
        const isKept = isSecret && !isNew;
        const said = isKept ? words.keepEmpty : hint;
        return (
          <div key={`${kind} ${key}`} className="mb-3">
            <Field
              label={label}
              required={!isOptional && !isKept}
              maxLength={LONGEST_VALUE}
              // A pasted secret is readable before it is sent, and never stored by the browser.
              autoComplete="off"
              spellCheck={false}
              placeholder={isKept ? "" : example}
              value={settings[key] ?? ""}
              onChange={({ target }) =>
                setDraft({ ...draft, settings: { ...settings, [key]: target.value } })
              }
            />
            {said === undefined ? null : <p className="-mt-2 text-xs text-ink-2">{said}</p>}
          </div>
        );
      })}
      <div className="mb-3" role="group" aria-label={words.timeZone}>
        <p className="mb-1 text-xs font-medium">{words.timeZone}</p>
        <ZoneField
          label={words.timeZone}
          value={timeZone}
          onChange={(zone) => setDraft({ ...draft, timeZone: zone })}
        />
      </div>
      <p className="text-xs text-ink-2">{words.encrypted}</p>
    </ResourceForm>
  );
}
