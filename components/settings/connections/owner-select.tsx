"use client";

import { useQuery } from "@tanstack/react-query";
import { peopleToChooseQuery } from "@/lib/client/queries/people";
import { hasRight } from "@/lib/domain/rights";
import { ADMINISTRATORS, PEOPLE_LOADING } from "./connect-words";

/**
 * Who looks after a company: one of those who may handle its incidents, or the administrators.
 * @param company its slug
 * @param value a person's id; null: the administrators
 * @param current the person of `value`, who stays a choice while the list loads
 */
export function OwnerSelect({
  id,
  about,
  company,
  value,
  current = null,
  className,
  onChange,
}: {
  id: string;
  about?: string;
  company: string;
  value: string | null;
  current?: { id: string; name: string } | null;
  className: string;
  onChange: (owner: string | null) => void;
}) {
  const { data, isPending } = useQuery(peopleToChooseQuery);
  const able = (data?.data ?? [])
    .filter(
      ({ status, grants }) =>
        status !== "disabled" && hasRight(grants, "handle-incidents", company),
    )
    .map(({ id: personId, name }) => ({ id: personId, name }));
  const isListed = current === null || able.some((person) => person.id === current.id);
  return (
    <select
      id={id}
      aria-describedby={about}
      className={className}
      value={value ?? ""}
      onChange={({ target }) => onChange(target.value === "" ? null : target.value)}
    >
      <option value="">{ADMINISTRATORS}</option>
      {isPending ? <option disabled>{PEOPLE_LOADING}</option> : null}
      {(isListed || current === null ? able : [current, ...able]).map((person) => (
        <option key={person.id} value={person.id}>
          {person.name}
        </option>
      ))}
    </select>
  );
}
