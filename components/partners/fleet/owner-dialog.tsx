"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { DialogForm } from "@/components/ui/form/dialog-form";
import { SelectField } from "@/components/ui/form/select-field";
import { useSending } from "@/components/ui/form/use-sending";
import { statusOf } from "@/lib/client/api";
import { careQuery } from "@/lib/client/queries/incident";
import { actOnFleet } from "@/lib/client/queries/partners/fleet-acts";
import type { ActedFleet } from "./note-dialog";
import { ownerWords as words } from "./words";

const ADMINISTRATORS = "administrators";

/**
 * Gives the incidents of a fleet incident to a person. Those who may own the first company's can be chosen, and the
 * server refuses those who may not own all. Default export for `lazyPart`.
 */
export default function OwnerDialog({ id, partner, companies, onClose }: ActedFleet) {
  const client = useQueryClient();
  const { data } = useQuery(careQuery(companies[0] ?? ""));
  const [owner, setOwner] = useState("");
  const { isBusy, refused, setRefused, send } = useSending(async () => {
    try {
      await actOnFleet(client, id, {
        kind: "own",
        person: owner === ADMINISTRATORS ? null : owner,
      });
      onClose();
      return null;
    } catch (error) {
      return problemOf(error, owner === ADMINISTRATORS);
    }
  });
  return (
    <DialogForm
      title={words.title(partner)}
      sentence={words.sentence(companies.length)}
      closeLabel={words.cancel}
      save={words.save}
      isBusy={isBusy}
      isDisabled={owner === ""}
      problem={refused}
      onSubmit={() => void send()}
      onClose={onClose}
    >
      <SelectField
        label={words.owner}
        name="owner"
        required
        value={owner}
        onChange={({ target }) => {
          setOwner(target.value);
          setRefused(null);
        }}
      >
        <option value="" disabled>
          {data === undefined ? words.loading : words.choose}
        </option>
        <option value={ADMINISTRATORS}>{words.administrators}</option>
        {data?.people.map(({ id: person, name }) => (
          <option key={person} value={person}>
            {name}
          </option>
        ))}
      </SelectField>
    </DialogForm>
  );
}

/** Given to the administrators, it can only be refused because it has ended. */
function problemOf(error: unknown, isAdministrators: boolean): string {
  if (statusOf(error) !== 409) return words.failed;
  return isAdministrators ? words.ended : words.mayNot;
}
