"use client";

import { useId, useState, type FormEvent } from "react";
import { Button } from "@/components/ui/button";
import Dialog from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import type { Invitation } from "@/lib/contracts/people";
import { ROLES, type Role } from "@/lib/domain/rights";
import { ROLE_LABEL, ROLE_SAYS, fields, inviteDialog } from "./words";

type Company = { slug: string; name: string };

const FORM = "invite-form";
const ALL = "*";

/**
 * Whom to invite, and as what. Default export for `lazy`.
 * @param onInvite null when it was done, else why it was not
 */
export default function InviteDialog({
  companies,
  onInvite,
  onClose,
}: {
  companies: readonly Company[];
  onInvite: (invitation: Invitation) => Promise<string | null>;
  onClose: () => void;
}) {
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("viewer");
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const isAdministrator = role === "administrator";

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (!isAdministrator && chosen.length === 0) {
      setProblem(inviteDialog.noCompany);
      return;
    }
    const everywhere = isAdministrator || chosen.includes(ALL);
    const grants = everywhere
      ? [{ role, company: null }]
      : chosen.map((company) => ({ role, company }));
    setIsBusy(true);
    setProblem(await onInvite({ name, email, grants }));
    setIsBusy(false);
  };

  return (
    <Dialog
      title={inviteDialog.title}
      closeLabel={inviteDialog.cancel}
      onClose={onClose}
      className="w-[560px]"
      actions={
        <Button type="submit" form={FORM} look="primary" disabled={isBusy} className="min-w-0">
          <span className="max-w-[240px] truncate">{inviteDialog.send(name.trim())}</span>
        </Button>
      }
    >
      <form id={FORM} className="text-ink" onSubmit={(event) => void submit(event)}>
        <div className="grid grid-cols-2 gap-x-3 max-sm:grid-cols-1">
          <Field
            label={fields.name}
            required
            maxLength={80}
            autoComplete="off"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          <Field
            label={fields.email}
            type="email"
            required
            maxLength={254}
            autoComplete="off"
            value={email}
            onChange={({ target }) => setEmail(target.value)}
          />
        </div>
        <RoleField role={role} onChange={setRole} />
        {isAdministrator ? null : (
          <CompaniesField companies={companies} chosen={chosen} onChange={setChosen} />
        )}
        <p className="mt-3 text-xs text-ink-2">{inviteDialog.foot}</p>
        <p role="alert" className="mt-2 text-xs text-failing-text empty:hidden">
          {problem}
        </p>
      </form>
    </Dialog>
  );
}

function RoleField({ role, onChange }: { role: Role; onChange: (role: Role) => void }) {
  const id = useId();
  return (
    <fieldset className="people-roles">
      <legend className="mb-[5px] text-xs font-medium">{fields.role}</legend>
      <div>
        {ROLES.map((one) => (
          <label key={one} aria-label={ROLE_LABEL[one]}>
            <input
              type="radio"
              aria-labelledby={`${id}-${one}`}
              aria-describedby={`${id}-${one}-says`}
              name="role"
              value={one}
              checked={role === one}
              onChange={() => onChange(one)}
            />
            <b id={`${id}-${one}`}>{ROLE_LABEL[one]}</b>
            <small id={`${id}-${one}-says`}>{ROLE_SAYS[one]}</small>
          </label>
        ))}
      </div>
    </fieldset>
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
