"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useZone } from "@/components/shell/time/zone";
import { FilterSelect } from "@/components/ui/filter-select";
import { careQuery, changeCareOwner } from "@/lib/client/queries/incident";
import { useNow } from "@/lib/client/use-now";
import { moment } from "@/lib/domain/words/format";
import { careWords as words } from "./words";

const ADMINISTRATORS = "";

const SELECT = "w-[168px] max-sm:w-full";

/** The owner of a company: a select for those who may change it, text for others. */
export function CareSelect({ company }: { company: string }) {
  const timeZone = useZone();
  const client = useQueryClient();
  const { data } = useQuery(careQuery(company));
  const [hasFailed, setHasFailed] = useState(false);
  const standIn = data?.stand_in ?? null;
  const until = useNow((nowMs) =>
    standIn === null || Date.parse(standIn.from) > nowMs
      ? null
      : moment(Date.parse(standIn.until), nowMs, timeZone),
  );
  if (data === undefined)
    return (
      // Keeps its place, so that nothing moves when it is there.
      <div className="invisible text-xs">
        <FilterSelect label={words.label} value="" onChoose={() => {}} className={SELECT}>
          {null}
        </FilterSelect>
      </div>
    );
  const { owner, people } = data;
  const choose = (id: string) => {
    setHasFailed(false);
    changeCareOwner(client, company, id === ADMINISTRATORS ? null : id).catch(() =>
      setHasFailed(true),
    );
  };
  return (
    <div className="flex flex-wrap items-center gap-2 text-xs text-ink-2">
      {people.length === 0 ? (
        words.owner(owner?.name ?? words.administrators)
      ) : (
        <FilterSelect
          label={words.label}
          value={owner?.id ?? ADMINISTRATORS}
          onChoose={choose}
          className={SELECT}
        >
          <option value={ADMINISTRATORS}>{words.administrators}</option>
          {people.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </FilterSelect>
      )}
      {standIn === null || until === null ? null : words.standsIn(standIn.person.name, until)}
      <span role="alert" className="text-failing-text empty:hidden">
        {hasFailed ? words.refused : null}
      </span>
    </div>
  );
}
