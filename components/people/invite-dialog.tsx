"use client";

import { useState } from "react";
import { FormDialog } from "@/components/session/form-dialog";
import type { Refused } from "@/components/session/refused";
import { ChoiceCards } from "@/components/ui/choice-cards";
import { Field } from "@/components/ui/field";
import type { Invitation } from "@/lib/contracts/people";
import { ROLES } from "@/lib/domain/rights";
import { keptPeople, type WrittenInvitation } from "./kept";
import { ROLE_LABEL, ROLE_SAYS, fields, inviteDialog, proofWords } from "./words";

type Company = { slug: string; name: string };

const ALL = "*";

/**
 * Whom to invite, and as what. Default export for `lazy`.
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
  const shown = [{ slug: ALL, name: fields.all }, ...companies];
  const left = chosen.includes(ALL) ? [] : shown.filter(({ slug }) => !chosen.includes(slug));
  return (
    <div className="mt-3">
      <span className="text-xs font-medium">{fields.companies}</span>
      <div className="people-chips">
        {shown
          .filter(({ slug }) => chosen.includes(slug))
          .map(({ slug, name }) => (
            <button
              key={slug}
              type="button"
              aria-label={fields.remove(name)}
              onClick={() => onChange(chosen.filter((one) => one !== slug))}
            >
              <bdi>{name}</bdi>
              <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden="true">
                <path d="M1 1l6 6M7 1 1 7" fill="none" stroke="currentColor" strokeWidth="1.2" />
              </svg>
            </button>
          ))}
        {left.length === 0 ? null : (
          <select
            aria-label={fields.add}
            value=""
            onChange={({ target: { value } }) =>
              onChange(value === ALL ? [ALL] : [...chosen, value])
            }
          >
            <option value="">{fields.add}</option>
            {left.map(({ slug, name }) => (
              <option key={slug} value={slug}>
                {name}
              </option>
            ))}
          </select>
        )}
      </div>
    </div>
  );
}
