"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ResourceForm } from "@/components/resource/resource-form";
import type { Refused } from "@/components/session/refused";
import { ZoneField } from "@/components/shell/time/zone-field";
import { Checkbox } from "@/components/ui/form/checkbox";
import { Field } from "@/components/ui/form/field";
import { SelectField } from "@/components/ui/form/select-field";
import type { ChannelChange, ChannelRequest } from "@/lib/client/queries/channels";
import { myAlertsQuery } from "@/lib/client/queries/rules";
import type { Channel } from "@/lib/contracts/delivery";
import { CHANNEL_KINDS, type ChannelKind } from "@/lib/domain/delivery/channel";
import { CHANNEL_FIELDS, changeOf, keptChannels, requestOf, type ChannelDraft } from "./draft";
import { fieldProblem } from "./problems";
import { changeSchema, newSchema } from "./schemas";
import { FIELD_WORDS, KIND_LABEL, formDialog as words, proofWords } from "./words";

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
      problemOf={(path, isMissing) => (isMissing ? words.lacks : fieldProblem(path, settings))}
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
          {/* Slack's app has a page of its own. */}
          {CHANNEL_KINDS.filter((one) => one !== "slack_app").map((one) => (
            <option key={one} value={one}>
              {KIND_LABEL[one]}
            </option>
          ))}
        </SelectField>
      ) : null}
      {kind === "email" ? <NoMail /> : null}
      <Field
        label={words.name}
        name="name"
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
              name={`settings.${key}`}
              required={!isOptional && !isKept}
              disabled={key === "app_token" && draft.isAppTokenRemoved}
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
            {key === "app_token" && channel?.has_app_token === true ? (
              <Checkbox
                isLabelShown
                label={words.removeAppToken}
                className="mt-1 min-h-7 max-sm:min-h-11"
                checked={draft.isAppTokenRemoved}
                onChange={({ target }) =>
                  setDraft({
                    ...draft,
                    isAppTokenRemoved: target.checked,
                    settings: { ...settings, app_token: "" },
                  })
                }
              />
            ) : null}
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

/** Says that mail isn't set up, if so. Exported for tests. */
export function NoMail() {
  const { data } = useQuery(myAlertsQuery);
  if (data?.can_mail !== false) return null;
  return <p className="mb-3 text-xs text-ink-2">{words.noMail}</p>;
}
