"use client";

import { useState } from "react";
import { FormDialog } from "@/components/session/form-dialog";
import type { Refused } from "@/components/session/refused";
import { ChipField } from "@/components/ui/form/chip-field";
import { ChoiceCards } from "@/components/ui/form/choice-cards";
import { Field } from "@/components/ui/form/field";
import type { Invitation } from "@/lib/contracts/people";
import { ROLES } from "@/lib/domain/rights";
import { ROLE_LABEL, ROLE_SAYS } from "@/lib/domain/words/role-words";
import { keptPeople, type WrittenInvitation } from "./kept";
import { fields, inviteDialog, proofWords } from "./words";

type Company = { slug: string; name: string };

const ALL = "*";

/**
 * Invites a person with a role. Default export for `lazyPart`.
 * @param first what is written in it when it opens
 * @param isMailing the link is mailed too
 * @param onInvite null when it was done, else why it was not
 */
export default function InviteDialog({
  first,
  companies,
  isMailing,
  onInvite,
  onClose,
}: {
  first: WrittenInvitation;
  isMailing: boolean;
  companies: readonly Company[];
  onInvite: (invitation: Invitation) => Promise<Refused | null>;
  onClose: () => void;
}) {
  const [written, setWritten] = useState(first);
  const write = (changes: Partial<WrittenInvitation>) => setWritten({ ...written, ...changes });
  const { name, email, role, companies: chosen } = written;
  const isAdministrator = role === "administrator";
  const send = () => {
    const everywhere = isAdministrator || chosen.includes(ALL);
    const grants = everywhere
      ? [{ role, company: null }]
      : chosen.map((company) => ({ role, company }));
    return onInvite({ name, email, grants });
  };
  return (
    <FormDialog
      title={inviteDialog.title}
      closeLabel={inviteDialog.cancel}
      save={inviteDialog.send(name.trim())}
      proof={proofWords.invite}
      check={() => (isAdministrator || chosen.length > 0 ? null : inviteDialog.noCompany)}
      kept={() => keptPeople({ dialog: "invite", written })}
      onSend={send}
      onClose={onClose}
    >
      <div className="grid grid-cols-2 gap-x-3 max-sm:grid-cols-1">
        <Field
          label={fields.name}
          required
          maxLength={80}
          autoComplete="off"
          value={name}
          onChange={({ target }) => write({ name: target.value })}
        />
        <Field
          label={fields.email}
          type="email"
          required
          maxLength={254}
          autoComplete="off"
          value={email}
          onChange={({ target }) => write({ email: target.value })}
        />
      </div>
      <ChoiceCards
        label={fields.role}
        name="role"
        options={ROLES.map((one) => ({
          value: one,
          label: ROLE_LABEL[one],
          hint: ROLE_SAYS[one],
        }))}
        value={role}
        onChange={(next) => write({ role: next })}
      />
      {isAdministrator ? null : (
        <CompaniesField
          companies={companies}
          chosen={chosen}
          onChange={(next) => write({ companies: next })}
        />
      )}
      <p className="mt-3 text-xs text-ink-2">{inviteDialog.foot(isMailing)}</p>
    </FormDialog>
  );
}

/** `chosen`: slugs, or what stands for all. */
function CompaniesField({
  companies,
  chosen,
  onChange,
}: {
  companies: readonly Company[];
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}) {
  const options = [{ slug: ALL, name: fields.all }, ...companies];
  return (
    <div className="mt-3">
      <ChipField
        label={fields.companies}
        add={fields.add}
        remove={fields.remove}
        options={options.map(({ slug, name }) => ({ value: slug, label: name }))}
        chosen={chosen}
        isAllChosen={chosen.includes(ALL)}
        onAdd={(value) => onChange(value === ALL ? [ALL] : [...chosen, value])}
        onRemove={(value) => onChange(chosen.filter((one) => one !== value))}
      />
    </div>
  );
}
