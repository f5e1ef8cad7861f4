"use client";

import { useState } from "react";
import { AllOrSomeField, companyOptions } from "@/components/resource/all-or-some-field";
import { ResourceForm } from "@/components/resource/resource-form";
import type { Refused } from "@/components/session/refused";
import { ChoiceCards } from "@/components/ui/form/choice-cards";
import { Field } from "@/components/ui/form/field";
import { Segmented } from "@/components/ui/segmented";
import { ServiceTokenRequest, TokenRequest } from "@/lib/contracts/tokens";
import { useServerClock } from "@/lib/client/use-now";
import { useZone } from "@/components/shell/time/zone";
import { DAY_MS } from "@/lib/domain/time/units";
import { LONGEST_NAME } from "@/lib/domain/tokens/limits";
import { dayMonthYear } from "@/lib/domain/words/dates";
import { keptToken, requestOf, serviceRequestOf, TOKEN_KINDS, type TokenDraft } from "./draft";
import { companyField, createDialog as words, invalid, kindWords, proof, refusal } from "./words";

const DAYS = ["30", "90", "365"] as const;

/**
 * Creates an API token. Default export for `lazyPart`.
 * @param first initial draft
 * @param mayAct the person handles incidents of a company
 * @param mayServe the person may create service tokens
 * @param onCreate resolves to null on success, else to the reason
 */
export default function CreateDialog({
  first,
  companies,
  mayAct,
  mayServe,
  onCreate,
  onClose,
}: {
  first: TokenDraft;
  companies: readonly { slug: string; name: string }[];
  mayAct: boolean;
  mayServe: boolean;
  onCreate: (draft: TokenDraft) => Promise<Refused | null>;
  onClose: () => void;
}) {
  const timeZone = useZone();
  const clock = useServerClock();
  const [openedMs] = useState(() => clock.nowMs());
  const [draft, setDraft] = useState(first);
  const write = (changes: Partial<TokenDraft>) => setDraft({ ...draft, ...changes });
  const { name, kind, days } = draft;
  const isService = kind === "service";
  const kinds = TOKEN_KINDS.filter(
    (one) => (one !== "act" || mayAct) && (one !== "service" || mayServe),
  );
  return (
    <ResourceForm
      title={words.title}
      closeLabel={words.cancel}
      save={words.save(name.trim())}
      schema={isService ? ServiceTokenRequest : TokenRequest}
      value={requestOf(draft) ?? serviceRequestOf(draft, companies)}
      problemOf={([field]) =>
        field === "name" || field === "companies" ? invalid[field] : refusal(400)
      }
      proof={proof}
      kept={() => keptToken(draft)}
      onSend={() => onCreate(draft)}
      onClose={onClose}
    >
      <Field
        label={words.name}
        name="name"
        placeholder={words.namePlaceholder}
        required
        maxLength={LONGEST_NAME}
        autoComplete="off"
        value={name}
        onChange={({ target }) => write({ name: target.value })}
      />
      <ChoiceCards
        label={words.kind}
        name="kind"
        options={kinds.map((one) => ({ value: one, ...kindWords[one] }))}
        value={kind}
        onChange={(next) => write({ kind: next })}
      />
      <div className="mt-3">
        <AllOrSomeField
          label={companyField.label}
          name="companies"
          words={isService ? { ...companyField, all: companyField.allNow } : companyField}
          options={companyOptions(companies)}
          chosen={draft.companies}
          onChange={(next) => write({ companies: next })}
        />
      </div>
      <p className="mt-3 mb-[5px] text-xs font-medium" aria-hidden="true">
        {words.expires}
      </p>
      <div className="flex flex-wrap items-center gap-3">
        <Segmented
          label={words.expires}
          value={String(days)}
          options={DAYS.map((value) => ({ value, label: words.days(Number(value)) }))}
          onChange={(value) => write({ days: Number(value) })}
        />
        <span className="text-xs text-ink-2">
          {words.until(dayMonthYear(openedMs + days * DAY_MS, timeZone))}
        </span>
      </div>
      <p className="mt-3 text-xs text-ink-2">{words.foot}</p>
    </ResourceForm>
  );
}
