"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState, type FormEvent, type RefObject } from "react";
import { calledName, Initials, whoIsOn } from "@/components/marks/on-it";
import { useZone } from "@/components/shell/time/zone";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/form/checkbox";
import { FILTER_CONTROL } from "@/components/ui/filter-select";
import { statusOf } from "@/lib/client/api";
import { actOn, careQuery, type Act } from "@/lib/client/queries/incident";
import { useKeptText } from "@/lib/client/kept-texts";
import { useNow, useServerClock } from "@/lib/client/use-now";
import type { IncidentView } from "@/lib/contracts/incidents";
import { moment } from "@/lib/domain/words/format";
import { handWords as words } from "./words";
import { HOUR_MS } from "@/lib/domain/time/units";

const HOURS = [1, 2, 4, 8, 24] as const;
const ADMINISTRATORS = "";

/**
 * Acknowledgement and owner, with the controls to change them.
 * @param personId who is signed in
 */
export function Hands({
  incident,
  personId,
  mayHandle,
}: {
  incident: IncidentView;
  personId: string;
  mayHandle: boolean;
}) {
  const client = useQueryClient();
  const clock = useServerClock();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const [hours, setHours] = useState("");
  const noteRef = useRef<HTMLTextAreaElement>(null);
  const isOpen = incident.state === "open";
  const who = whoIsOn(incident.acknowledged);

  /** @returns whether it succeeded */
  const act = async (what: Act): Promise<boolean> => {
    setIsBusy(true);
    setProblem("");
    try {
      await actOn(client, incident.company.slug, incident.id, what);
      return true;
    } catch (error) {
      const status = statusOf(error);
      setProblem(
        status === 409
          ? words.conflict
          : status === 403
            ? words.forbidden
            : words.failed[what.kind],
      );
      return false;
    } finally {
      setIsBusy(false);
    }
  };
  const acknowledge = () => {
    const until = hours === "" ? null : new Date(clock.nowMs() + Number(hours) * HOUR_MS);
    // The pressed button is gone then, so focus moves to the note.
    void act({ kind: "acknowledge", until: until?.toISOString() ?? null, note: "" }).then(
      (isDone) => isDone && noteRef.current?.focus(),
    );
  };

  return (
    <section
      className="border-t border-line-strong pt-3 pb-4 max-sm:border-t-0"
      aria-label={words.label}
    >
      <p className="mb-3 flex items-center gap-2">
        <Initials person={who} />
        <OnIt incident={incident} />
      </p>
      {isOpen && mayHandle ? (
        <div className="flex flex-wrap items-center gap-2">
          {who?.isYou === true ? (
            <Button isBusy={isBusy} onClick={() => void act({ kind: "unacknowledge" })}>
              {words.unacknowledge}
            </Button>
          ) : (
            <>
              <Button look="primary" isBusy={isBusy} onClick={acknowledge}>
                {who === null ? words.acknowledge : words.takeOn}
              </Button>
              <label className="flex items-center gap-2 text-xs text-ink-2">
                {words.untilLabel}
                <select
                  className={FILTER_CONTROL}
                  value={hours}
                  onChange={(event) => setHours(event.target.value)}
                >
                  <option value="">{words.untilEnds}</option>
                  {HOURS.map((amount) => (
                    <option key={amount} value={amount}>
                      {words.untilHours(amount)}
                    </option>
                  ))}
                </select>
              </label>
            </>
          )}
        </div>
      ) : null}
      <dl className="key-values mt-3 items-center">
        <dt>{words.owner}</dt>
        <dd>
          {isOpen && mayHandle ? (
            <OwnerSelect
              incident={incident}
              isBusy={isBusy}
              onGive={(person) => void act({ kind: "own", person })}
            />
          ) : (
            ownerName(incident)
          )}
        </dd>
      </dl>
      {mayHandle ? (
        <NoteBox
          draftKey={`note ${personId} ${incident.company.slug} ${incident.id}`}
          fieldRef={noteRef}
          isBusy={isBusy}
          isFollowed={isOpen}
          onNote={(note) => act({ kind: "note", ...note })}
        />
      ) : (
        <p className="text-xs text-ink-3">{words.mayNot}</p>
      )}
      <p role="alert" className="mt-2 text-xs text-failing-text empty:hidden">
        {problem}
      </p>
      {isOpen ? null : mayHandle ? <p className="mt-2 text-xs text-ink-3">{words.ended}</p> : null}
    </section>
  );
}

function OnIt({ incident: { acknowledged, state } }: { incident: IncidentView }) {
  const timeZone = useZone();
  const at = (iso: string | null | undefined) => (nowMs: number) =>
    iso == null ? "" : moment(Date.parse(iso), nowMs, timeZone);
  const since = useNow(at(acknowledged?.at));
  const until = useNow(at(acknowledged?.until));
  const who = whoIsOn(acknowledged);
  if (who === null)
    return <b className="font-medium">{state === "open" ? words.noOne : words.notAcknowledged}</b>;
  return (
    <span>
      <b className="font-medium">{who.isYou ? words.youOn : words.on(calledName(who))}</b>{" "}
      <span className="text-ink-2">
        {words.since(since)}
        {until === "" ? "" : words.until(until)}
      </span>
    </span>
  );
}

function ownerName({ owner }: IncidentView): string {
  if (owner === null) return words.administrators;
  return calledName({ name: owner.name, isYou: owner.is_you });
}

/** The owner; a choice assigns it at once. */
function OwnerSelect({
  incident,
  isBusy,
  onGive,
}: {
  incident: IncidentView;
  isBusy: boolean;
  onGive: (person: string | null) => void;
}) {
  const { data } = useQuery(careQuery(incident.company.slug));
  const { owner } = incident;
  const others = (data?.people ?? []).filter(({ id }) => id !== owner?.id);
  return (
    <select
      aria-label={words.owner}
      disabled={isBusy}
      className={`${FILTER_CONTROL} w-full max-w-[220px]`}
      value={owner?.id ?? ADMINISTRATORS}
      onChange={({ target: { value } }) => onGive(value === ADMINISTRATORS ? null : value)}
    >
      <option value={ADMINISTRATORS}>{words.administrators}</option>
      {owner === null ? null : <option value={owner.id}>{ownerName(incident)}</option>}
      {others.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

/**
 * The note field; Ctrl or Command and Enter submit it, too. `isFollowed`: the incident is open, so that channels may get
 * the note. `draftKey`: of the text while it isn't saved.
 */
function NoteBox({
  draftKey,
  fieldRef,
  isBusy,
  isFollowed,
  onNote,
}: {
  draftKey: string;
  fieldRef: RefObject<HTMLTextAreaElement | null>;
  isBusy: boolean;
  isFollowed: boolean;
  onNote: (note: { text: string; toldCustomer: boolean; toChannels: boolean }) => Promise<boolean>;
}) {
  const [text, setText] = useKeptText(draftKey);
  const [toldCustomer, setToldCustomer] = useState(false);
  const [isForChannels, setIsForChannels] = useState(false);
  const toChannels = isFollowed && isForChannels;
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (!(await onNote({ text, toldCustomer, toChannels }))) return;
    setText("");
    setToldCustomer(false);
    setIsForChannels(false);
    fieldRef.current?.focus();
  };
  return (
    <form
      className="mt-2 rounded border border-control bg-surface focus-within:outline-2 focus-within:-outline-offset-2 focus-within:outline-focus"
      onSubmit={(event) => void send(event)}
    >
      <textarea
        className="block min-h-14 w-full resize-y bg-transparent px-2.5 py-2 text-ink outline-none placeholder:text-ink-3"
        ref={fieldRef}
        aria-label={words.note}
        placeholder={words.note}
        maxLength={2000}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          if (!isBusy && text.trim() !== "") event.currentTarget.form?.requestSubmit();
        }}
      />
      <footer className="flex items-center justify-between gap-2 border-t border-line py-1.5 pr-1.5 pl-2.5 text-xs/4.5 text-ink-2">
        <span className="grid gap-x-3">
          <Checkbox
            label={words.toldCustomer}
            isLabelShown
            checked={toldCustomer}
            onChange={(event) => setToldCustomer(event.target.checked)}
            className="min-h-6 max-sm:min-h-11"
          />
          {isFollowed ? (
            <Checkbox
              label={words.toChannels}
              isLabelShown
              checked={isForChannels}
              onChange={(event) => setIsForChannels(event.target.checked)}
              className="min-h-6 max-sm:min-h-11"
            />
          ) : null}
        </span>
        <Button
          type="submit"
          look="primary"
          isBusy={isBusy}
          disabled={text.trim() === ""}
          aria-keyshortcuts="Control+Enter Meta+Enter"
        >
          {words.addNote}
        </Button>
      </footer>
    </form>
  );
}
