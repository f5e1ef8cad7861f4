"use client";

import { useState } from "react";
import { ResourceForm } from "@/components/resource/resource-form";
import type { Refused } from "@/components/session/refused";
import { Button } from "@/components/ui/button";
import { PersonChange, type GivenGrant, type PersonEntry } from "@/lib/contracts/people";
import { ROLES, type Role } from "@/lib/domain/rights";
import { ROLE_LABEL, ROLE_SAYS } from "@/lib/domain/words/role-words";
import { NameField } from "./name-field";
import { keptPeople, type WrittenChange } from "./kept";
import { editDialog, fields, proofWords, refusal } from "./words";

type Company = { slug: string; name: string };

const ALL = "*";
const SELECT = "h-[30px] rounded border border-control bg-surface px-1.5 text-ink";

/**
 * Edits a person's name and manual grants. Default export for `lazyPart`.
 * @param first initial draft
 * @param onSave resolves to null on success, else to the reason
 * @param onAct replaces this dialog with another one
 */
export default function EditDialog({
  person,
  first,
  companies,
  onSave,
  onAct,
  onClose,
}: {
  person: PersonEntry;
  first: WrittenChange;
  companies: readonly Company[];
  onSave: (change: PersonChange) => Promise<Refused | null>;
  onAct: (action: "link" | "disable" | "reset") => void;
  onClose: () => void;
}) {
  const [{ name, grants }, setWritten] = useState(first);
  const isFirst = person.is_first_administrator;
  const byRule = person.grants.filter(({ because }) => because.kind === "rule");
  return (
    <ResourceForm
      title={editDialog.title(person.name)}
      closeLabel={editDialog.cancel}
      save={editDialog.save}
      schema={PersonChange}
      value={{ name, grants: [...grants] }}
      problemOf={() => refusal(400)}
      proof={proofWords.edit}
      kept={() => keptPeople({ dialog: "edit", person: person.id, written: { name, grants } })}
      onSend={onSave}
      onClose={onClose}
      foot={
        <div className="mt-4 grid gap-2 border-t border-line pt-3">
          {person.kind === "local" ? (
            <Act label={editDialog.link} note={editDialog.linkSays} onAct={() => onAct("link")} />
          ) : null}
          {person.has_second_factor ? (
            <Act
              label={editDialog.reset}
              note={editDialog.resetSays}
              onAct={() => onAct("reset")}
            />
          ) : null}
          {isFirst ? (
            <p className="text-xs text-ink-2">{editDialog.isFirst}</p>
          ) : (
            <Act
              label={editDialog.disable}
              note={editDialog.disableSays}
              onAct={() => onAct("disable")}
            />
          )}
        </div>
      }
    >
      <NameField value={name} onType={(next) => setWritten({ name: next, grants })} />
      <GrantRows
        grants={grants}
        companies={companies}
        isFirst={isFirst}
        onChange={(next) => setWritten({ name, grants: next })}
      />
      {byRule.length === 0 ? null : (
        <p className="mt-3 text-xs text-ink-2">
          {editDialog.byRule}{" "}
          {byRule
            .map(({ role, company }) => `${ROLE_LABEL[role]}, ${company ?? fields.all}`)
            .join("; ")}
        </p>
      )}
    </ResourceForm>
  );
}

/** A button, and what it does. */
function Act({ label, note, onAct }: { label: string; note: string; onAct: () => void }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Button onClick={onAct}>{label}</Button>
      <p className="text-xs text-ink-2">{note}</p>
    </div>
  );
}

/**
 * One row per company, or a single one for all.
 * @param isFirst the first administrator, who can't lose that role
 */
function GrantRows({
  grants,
  companies,
  isFirst,
  onChange,
}: {
  grants: readonly GivenGrant[];
  companies: readonly Company[];
  isFirst: boolean;
  onChange: (grants: readonly GivenGrant[]) => void;
}) {
  const nameOf = (company: string | null) =>
    company === null
      ? fields.all
      : (companies.find(({ slug }) => slug === company)?.name ?? company);
  const left = [{ slug: ALL, name: fields.all }, ...companies].filter(
    ({ slug }) => !grants.some(({ company }) => (company ?? ALL) === slug),
  );
  return (
    <fieldset>
      <legend className="mb-[5px] text-xs font-medium">{fields.companies}</legend>
      {grants.length === 0 ? <p className="text-xs text-ink-2">{editDialog.none}</p> : null}
      <ul>
        {grants.map(({ role, company }, index) => (
          <li
            key={company ?? ALL}
            className="grid grid-cols-[minmax(0,1fr)_150px_30px] items-center gap-2 border-t border-line py-1"
          >
            <bdi>{nameOf(company)}</bdi>
            <select
              aria-label={fields.roleAt(nameOf(company))}
              className={SELECT}
              value={role}
              disabled={isFirst && role === "administrator"}
              onChange={({ target }) =>
                onChange(grants.with(index, { role: target.value as Role, company }))
              }
            >
              {ROLES.filter((one) => one !== "administrator" || company === null).map((one) => (
                <option key={one} value={one}>
                  {ROLE_LABEL[one]}
                </option>
              ))}
            </select>
            <button
              type="button"
              aria-label={fields.remove(nameOf(company))}
              className="grid size-[30px] place-items-center text-ink-2"
              disabled={isFirst && role === "administrator"}
              onClick={() => onChange(grants.toSpliced(index, 1))}
            >
              <svg width="10" height="10" viewBox="0 0 8 8" aria-hidden="true">
                <path d="M1 1l6 6M7 1 1 7" fill="none" stroke="currentColor" />
              </svg>
            </button>
          </li>
        ))}
      </ul>
      {ROLES.filter((one) => grants.some(({ role }) => role === one)).map((one) => (
        <p key={one} className="mt-1 text-xs text-ink-2">
          {ROLE_LABEL[one]}: {ROLE_SAYS[one]}
        </p>
      ))}
      {left.length === 0 ? null : (
        <select
          aria-label={fields.addAccess}
          className={`${SELECT} mt-2`}
          value=""
          onChange={({ target: { value } }) =>
            onChange([...grants, { role: "viewer", company: value === ALL ? null : value }])
          }
        >
          <option value="">{fields.addAccess}</option>
          {left.map(({ slug, name }) => (
            <option key={slug} value={slug}>
              {name}
            </option>
          ))}
        </select>
      )}
    </fieldset>
  );
}
