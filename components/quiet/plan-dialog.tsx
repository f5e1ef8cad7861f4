"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { DateField } from "@/components/shell/time/date-input";
import { TimeField } from "@/components/shell/time/time-input";
import { useZone } from "@/components/shell/time/zone";
import { Checkbox } from "@/components/ui/form/checkbox";
import { DialogForm } from "@/components/ui/form/dialog-form";
import { Field } from "@/components/ui/form/field";
import { Segmented } from "@/components/ui/segmented";
import { SelectField } from "@/components/ui/form/select-field";
import { useSending } from "@/components/ui/form/use-sending";
import { statusOf } from "@/lib/client/api";
import { planQuiet } from "@/lib/client/queries/quiet";
import { useServerClock } from "@/lib/client/use-now";
import type { ExpectationRequest } from "@/lib/contracts/quiet";
import { LONGEST_REASON } from "@/lib/domain/quiet/planned-quiet";
import { minutesOf, localTimeMs, localTimeOf } from "@/lib/domain/time/day";
import { WEEKDAYS, type Weekday } from "@/lib/domain/time/weekdays";
import { DAY_LABEL } from "@/lib/domain/time/calendar-names";
import { planRefusal, planWords as words } from "./plan-words";
import { DAY_MS, MINUTE_MS } from "@/lib/domain/time/units";

/** Scope of a quiet time; both null: the whole company. */
export type Scope = { label: string; partner: string | null; endpointId: string | null };

const TIMES = ["once", "weekly"] as const;

/**
 * Plans a quiet time: when no data is expected, for what and why. Default export for `lazyPart`.
 */
export default function PlanDialog({
  company,
  scopes,
  onClose,
}: {
  company: string;
  scopes: readonly Scope[];
  onClose: () => void;
}) {
  const timeZone = useZone();
  const client = useQueryClient();
  const clock = useServerClock();
  const [openedMs] = useState(() => clock.nowMs());
  const [chosen, setChosen] = useState(0);
  const [reason, setReason] = useState("");
  const [times, setTimes] = useState<(typeof TIMES)[number]>("once");
  const [from, setFrom] = useState(() => localTimeOf(openedMs, timeZone));
  const [until, setUntil] = useState(() => localTimeOf(openedMs + DAY_MS, timeZone));
  const [days, setDays] = useState<readonly Weekday[]>(["sat", "sun"]);
  const [hours, setHours] = useState({ from: "00:00", until: "24:00" });

  const {
    isBusy,
    refused: problem,
    setRefused,
    send,
  } = useSending(async () => {
    const scope = scopes[chosen];
    const when =
      times === "weekly"
        ? weeklyOf(days, hours, timeZone)
        : onceOf(from, until, timeZone, clock.nowMs());
    if (reason.trim() === "") return { problem: words.noReason, field: "reason" };
    if ("problem" in when) return when;
    if (scope === undefined) return null;
    const { partner, endpointId } = scope;
    try {
      await planQuiet(client, company, { partner, endpoint_id: endpointId, reason, ...when });
      onClose();
      return null;
    } catch (error) {
      return planRefusal(statusOf(error));
    }
  });
  const isPast =
    times === "once" && (localTimeMs(from, timeZone) ?? openedMs) < openedMs - MINUTE_MS;
  return (
    <DialogForm
      title={words.title}
      sentence={words.sentence}
      closeLabel={words.cancel}
      save={words.submit}
      isBusy={isBusy}
      isDisabled={scopes.length === 0}
      problem={problem}
      onSubmit={() => void send()}
      onClose={onClose}
    >
      <SelectField
        label={words.what}
        value={String(chosen)}
        onChange={({ target }) => setChosen(Number(target.value))}
      >
        {scopes.map(({ label }, index) => (
          <option key={label} value={String(index)}>
            {label}
          </option>
        ))}
      </SelectField>
      <Field
        label={words.reason}
        name="reason"
        required
        maxLength={LONGEST_REASON}
        autoComplete="off"
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
      <Segmented
        label={words.how}
        value={times}
        options={TIMES.map((value) => ({ value, label: words[value] }))}
        onChange={(chosenTimes) => {
          setTimes(chosenTimes);
          setRefused(null);
        }}
        className="mb-3"
      />
      {times === "weekly" ? (
        <fieldset className="mb-3">
          <legend className="mb-[5px] text-xs font-medium">{words.days}</legend>
          <div className="flex flex-wrap gap-x-4">
            {WEEKDAYS.map((day) => (
              <Checkbox
                key={day}
                label={DAY_LABEL[day]}
                isLabelShown
                className="min-h-7 max-sm:min-h-11"
                checked={days.includes(day)}
                onChange={({ target: { checked } }) =>
                  setDays(WEEKDAYS.filter((one) => (one === day ? checked : days.includes(one))))
                }
              />
            ))}
          </div>
        </fieldset>
      ) : null}
      <div className="grid grid-cols-2 gap-x-3 max-sm:grid-cols-1">
        {(["from", "until"] as const).map((end) =>
          times === "weekly" ? (
            <TimeField
              key={`weekly-${end}`}
              label={words[end]}
              name={end}
              required
              isEnd={end === "until"}
              value={hours[end]}
              onChange={(time) => setHours({ ...hours, [end]: time })}
            />
          ) : (
            <DateField
              key={end}
              label={words[end]}
              name={end}
              kind="datetime"
              required
              value={end === "from" ? from : until}
              onChange={end === "from" ? setFrom : setUntil}
            />
          ),
        )}
      </div>
      <p className="text-xs text-ink-2">
        {isPast ? words.startsNow : null} {words.zone(timeZone)}{" "}
        {times === "weekly" ? words.untilEnded : null}
      </p>
    </DialogForm>
  );
}

type When = Pick<ExpectationRequest, "from" | "until" | "weekly">;

type Wrong = { problem: string; field?: string };
const NO_END: Wrong = { problem: words.noEnd, field: "until" };

function onceOf(from: string, until: string, timeZone: string, nowMs: number): When | Wrong {
  const [fromMs, untilMs] = [localTimeMs(from, timeZone), localTimeMs(until, timeZone)];
  if (fromMs === null || untilMs === null || untilMs <= Math.max(fromMs, nowMs)) return NO_END;
  return { from: new Date(fromMs).toISOString(), until: new Date(untilMs).toISOString() };
}

/** Midnight in the end field means the end of the day. */
function weeklyOf(
  days: readonly Weekday[],
  { from, until }: { from: string; until: string },
  timeZone: string,
): When | Wrong {
  if (days.length === 0) return { problem: words.noDay };
  const end = until === "00:00" ? "24:00" : until;
  if (minutesOf(from) === null || minutesOf(end) === null || from === end) return NO_END;
  return { weekly: { days: [...days], from, until: end, time_zone: timeZone } };
}
