"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { EntryDialog } from "@/components/ui/form/entry-dialog";
import { Field } from "@/components/ui/form/field";
import { Segmented } from "@/components/ui/segmented";
import { statusOf } from "@/lib/client/api";
import { removeAllowance, setAllowance } from "@/lib/client/queries/calls/allowances";
import type { Allowance } from "@/lib/contracts/calls/allowances";
import { LONGEST_ALLOWANCE_NOTE, MAX_ALLOWED_CALLS } from "@/lib/domain/calls/allowance";
import { count } from "@/lib/domain/words/format";
import { allowanceRefusal, allowanceWords as words } from "./words";

/**
 * Enters, changes or removes a partner's allowance. Default export for `lazyPart`.
 * @param before the current one; null: none
 */
export default function AllowanceDialog({
  company,
  partner,
  before,
  onClose,
}: {
  company: string;
  partner: string;
  before: Allowance | null;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const [calls, setCalls] = useState(before === null ? "" : count(before.calls));
  const [per, setPer] = useState<Allowance["per"]>(before?.per ?? "day");
  const [note, setNote] = useState(before?.note ?? "");
  const amount = callsOf(calls);
  const attempt = async (verb: "save" | "remove", change: () => Promise<void>) => {
    try {
      await change();
      return null;
    } catch (error) {
      return allowanceRefusal(statusOf(error), verb, partner);
    }
  };
  const save = async () =>
    amount === null
      ? { problem: words.notValid(MAX_ALLOWED_CALLS), field: "calls" }
      : attempt("save", () => setAllowance(client, company, partner, { calls: amount, per, note }));
  return (
    <EntryDialog
      title={words.title(partner)}
      sentence={words.sentence}
      closeLabel={words.cancel}
      save={words.save}
      remove={before === null ? null : words.remove}
      isDisabled={calls.trim() === ""}
      onSave={save}
      onRemove={() => attempt("remove", () => removeAllowance(client, company, partner))}
      onClose={onClose}
    >
      {(edited) => (
        <>
          <Field
            label={words.calls}
            name="calls"
            required
            inputMode="numeric"
            autoComplete="off"
            value={calls}
            onChange={({ target }) => {
              setCalls(target.value);
              edited();
            }}
          />
          <Segmented
            label={words.per}
            value={per}
            options={words.periods}
            onChange={setPer}
            className="mb-3"
          />
          <Field
            label={words.note}
            maxLength={LONGEST_ALLOWANCE_NOTE}
            autoComplete="off"
            value={note}
            onChange={({ target }) => setNote(target.value)}
          />
          <p className="min-h-4 text-xs text-ink-2">
            {amount === null ? "" : words.shown({ calls: amount, per })}
          </p>
        </>
      )}
    </EntryDialog>
  );
}

/** The number in a text such as "3,600"; null: not a permitted one. */
function callsOf(text: string): number | null {
  const digits = text.replaceAll(/[\s,]/g, "");
  const calls = /^\d{1,8}$/.test(digits) ? Number(digits) : 0;
  return calls >= 1 && calls <= MAX_ALLOWED_CALLS ? calls : null;
}
