"use client";

import { useState } from "react";
import { AllOrSomeField, companyOptions } from "@/components/resource/all-or-some-field";
import { ResourceForm } from "@/components/resource/resource-form";
import type { Refused } from "@/components/session/refused";
import { ChoiceCards } from "@/components/ui/form/choice-cards";
import { Field } from "@/components/ui/form/field";
import { Invitation } from "@/lib/contracts/people";
import { ROLES } from "@/lib/domain/rights";
import { ROLE_LABEL, ROLE_SAYS } from "@/lib/domain/words/role-words";
import { NameField } from "./name-field";
import { keptPeople, type WrittenInvitation } from "./kept";
import { fields, inviteDialog, proofWords, refusal } from "./words";

/** The contract permits invitations without access; this form does not. */
const WithAccess = Invitation.refine(({ grants }) => grants.length > 0, { path: ["grants"] });

/**
 * Invites a person with a role. Default export for `lazyPart`.
 * @param first initial draft
 * @param isMailing the link is also mailed
 * @param onInvite resolves to null on success, else to the reason
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
  companies: readonly { slug: string; name: string }[];
  onInvite: (invitation: Invitation) => Promise<Refused | null>;
  onClose: () => void;
}) {
  const [written, setWritten] = useState(first);
  const write = (changes: Partial<WrittenInvitation>) => setWritten({ ...written, ...changes });
  const { name, email, role, companies: chosen } = written;
  const isAdministrator = role === "administrator";
  const everywhere = isAdministrator || chosen === "all";
  const grants = everywhere
    ? [{ role, company: null }]
    : chosen.map((company) => ({ role, company }));
  return (
    <ResourceForm
      title={inviteDialog.title}
      closeLabel={inviteDialog.cancel}
      save={inviteDialog.send(name.trim())}
      schema={WithAccess}
      value={{ name, email, grants }}
      problemOf={([field]) => (field === "grants" ? inviteDialog.noCompany : refusal(400))}
      proof={proofWords.invite}
      kept={() => keptPeople({ dialog: "invite", written })}
      onSend={onInvite}
      onClose={onClose}
    >
      <div className="grid grid-cols-2 gap-x-3 max-sm:grid-cols-1">
        <NameField value={name} onType={(next) => write({ name: next })} />
        <Field
          label={fields.email}
          name="email"
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
        <div className="mt-3">
          <AllOrSomeField
            label={fields.companies}
            name="grants"
            words={fields}
            options={companyOptions(companies)}
            chosen={chosen}
            onChange={(next) => write({ companies: next })}
          />
        </div>
      )}
      <p className="mt-3 text-xs text-ink-2">{inviteDialog.foot(isMailing)}</p>
    </ResourceForm>
  );
}
