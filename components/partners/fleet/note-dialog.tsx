"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { Checkbox } from "@/components/ui/form/checkbox";
import { DialogForm } from "@/components/ui/form/dialog-form";
import { FIELD_CONTROL, LabelledField } from "@/components/ui/form/field";
import { useSending } from "@/components/ui/form/use-sending";
import { actOnFleet } from "@/lib/client/queries/partners/fleet-acts";
import { noteWords as words } from "./words";

/** A fleet incident, its partner, and the companies whose incidents the person may handle, at least one. */
export type ActedFleet = {
  id: string;
  partner: string;
  companies: readonly string[];
  onClose: () => void;
};

/** Adds a note to the incident of each company of a fleet incident. Default export for `lazyPart`. */
export default function NoteDialog({ id, partner, companies, onClose }: ActedFleet) {
  const client = useQueryClient();
  const field = useId();
  const [text, setText] = useState("");
  const [toldCustomer, setToldCustomer] = useState(false);
  const { isBusy, refused, send } = useSending(async () => {
    try {
      await actOnFleet(client, id, { kind: "note", text, toldCustomer, toChannels: false });
      onClose();
      return null;
    } catch {
      return words.failed;
    }
  });
  return (
    <DialogForm
      title={words.title(partner, companies.length)}
      sentence={words.sentence}
      closeLabel={words.cancel}
      save={words.save}
      isBusy={isBusy}
      isDisabled={text.trim() === ""}
      problem={refused}
      onSubmit={() => void send()}
      onClose={onClose}
    >
      <LabelledField id={field} label={words.note}>
        <textarea
          id={field}
          className={`${FIELD_CONTROL} min-h-20 resize-y py-2`}
          maxLength={2000}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </LabelledField>
      <Checkbox
        label={words.toldCustomer}
        isLabelShown
        className="min-h-6 max-sm:min-h-11"
        checked={toldCustomer}
        onChange={(event) => setToldCustomer(event.target.checked)}
      />
    </DialogForm>
  );
}
