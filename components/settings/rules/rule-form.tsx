"use client";

import { Suspense, useState, type FormEvent } from "react";
import { EditorFooter } from "@/components/resource/editor-footer";
import { Proof } from "@/components/session/proof";
import { formProblemIn, type Refused } from "@/components/session/refused";
import { ChipField } from "@/components/ui/form/chip-field";
import { Link } from "@/components/ui/link";
import { afterEdit, formProblem, FormFields } from "@/components/ui/form/field-problem";
import { refusedTexts } from "@/components/ui/form/typed-input";
import { useSending } from "@/components/ui/form/use-sending";
import { lazyPart } from "@/components/ui/lazy-part";
import type { RuleRequest } from "@/lib/client/queries/rules";
import type { ResumableDialog } from "@/lib/client/resumable-dialog";
import type { Channel } from "@/lib/contracts/delivery";
import { fieldsOf, lacksOf, lacksOfFields } from "./draft";
import { Rehearsal } from "./rehearsal";
import { FIELD, FieldRow, RuleFields } from "./rule-fields";
import { LACK_TEXT, deleteDialog, formWords as words, proofWords, rehearsalWords } from "./words";

const ConfirmDialog = lazyPart(() => import("@/components/resource/confirm-dialog"));

const QuieterRule = lazyPart(() => import("./quieter-rule"), null);

const LONGEST_NAME = 100;

/**
 * The form of one rule, beside a rehearsal of it. Default export for `lazyPart`.
 * @param first initial draft
 * @param words labels of the buttons
 * @param onSave like `onDelete`, resolves to null on success, else to the reason; a new rule has no `onDelete`
 * @param kept state to restore after signing in at the identity provider
 */
export default function RuleForm({
  first,
  words: labels = words,
  companies,
  partners,
  channels,
  onSave,
  onDelete,
  onCancel,
  kept: keptOf,
}: {
  first: RuleRequest;
  words?: { save: string; cancel: string; delete: string };
  companies: readonly { slug: string; name: string }[];
  partners: readonly string[];
  channels: readonly Channel[] | null;
  onSave: (rule: RuleRequest) => Promise<Refused | null>;
  onDelete: (() => Promise<Refused | null>) | null;
  onCancel: () => void;
  kept: (draft: RuleRequest) => ResumableDialog;
}) {
  const [draft, setDraft] = useState(first);
  const [isDeleting, setIsDeleting] = useState(false);
  const { isBusy, refused, setRefused, send } = useSending(() =>
    onSave({ ...draft, name: draft.name.trim() }),
  );
  const change = (changes: Partial<RuleRequest>) => {
    setDraft({ ...draft, ...changes });
    setRefused(afterEdit(refused));
  };
  const kept = () => keptOf(draft);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const problem = formProblem([
      ...lacksOf(draft).map((lack) => ({ problem: LACK_TEXT[lack], field: lack })),
      // A field with invalid text keeps its last valid time in the draft.
      ...refusedTexts(event.currentTarget),
    ]);
    if (problem === null) void send();
    else setRefused(problem);
  };
  return (
    <>
      <div className="two-columns is-even">
        <form
          className="border-t border-line-strong"
          onSubmit={submit}
          // We show our own messages for missing values.
          noValidate
        >
          <FormFields problem={formProblemIn(refused)} className="pt-3">
            <FieldRow label={words.name} names={["name"]}>
              {(control) => (
                <input
                  {...control("name")}
                  aria-label={words.name}
                  required
                  maxLength={LONGEST_NAME}
                  autoComplete="off"
                  placeholder={words.nameExample}
                  className={`w-full ${FIELD}`}
                  value={draft.name}
                  onChange={({ target }) => change({ name: target.value })}
                />
              )}
            </FieldRow>
            <RuleFields
              fields={draft}
              companies={companies}
              partners={partners}
              onChange={change}
              destinations={
                <SendToRow channels={channels} chosen={draft.channels} onChange={change} />
              }
            />
          </FormFields>
          <EditorFooter
            words={labels}
            isBusy={isBusy}
            onCancel={onCancel}
            onDelete={onDelete === null ? null : () => setIsDeleting(true)}
          />
        </form>
        <div>
          <Rehearsal fields={fieldsOf(draft)} to={rehearsalWords.channels} companies={companies} />
          {lacksOfFields(draft).length === 0 ? (
            <Suspense>
              <QuieterRule fields={fieldsOf(draft)} onUse={change} />
            </Suspense>
          ) : null}
        </div>
      </div>
      <Proof
        isWanted={refused === "needs-reauthentication"}
        words={proofWords.save}
        kept={kept}
        onProven={() => void send()}
        onBack={() => setRefused(null)}
      />
      {isDeleting && onDelete !== null ? (
        <Suspense>
          <ConfirmDialog
            {...deleteDialog(first.name)}
            proof={{ words: proofWords.delete, kept }}
            onDo={onDelete}
            onClose={() => setIsDeleting(false)}
          />
        </Suspense>
      ) : null}
    </>
  );
}

function SendToRow({
  channels,
  chosen,
  onChange,
}: {
  channels: readonly Channel[] | null;
  chosen: RuleRequest["channels"];
  onChange: (changes: Pick<RuleRequest, "channels">) => void;
}) {
  return (
    <FieldRow label={words.sendTo} hint={words.sendHint}>
      {channels?.length === 0 ? (
        <p className="text-xs text-ink-2">
          {words.noChannels}{" "}
          <Link href="/settings/channels" className="underline underline-offset-3">
            {words.toChannels}
          </Link>
        </p>
      ) : (
        <ChipField
          label={words.sendTo}
          isLabelElsewhere
          name="channels"
          add={words.addChannel}
          remove={words.remove}
          options={(channels ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          chosen={chosen}
          onAdd={(id) => onChange({ channels: [...chosen, id] })}
          onRemove={(id) => onChange({ channels: chosen.filter((one) => one !== id) })}
        />
      )}
    </FieldRow>
  );
}
