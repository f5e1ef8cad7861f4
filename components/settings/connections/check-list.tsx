import type { ReactNode } from "react";
import { useZone } from "@/components/shell/time/zone";
import { ScrollRegion } from "@/components/ui/scroll-region";
import { CHECK_STEPS } from "@/lib/domain/check-steps";
import { useNow } from "@/lib/client/use-now";
import type { CheckStep } from "@/lib/contracts/connections";
import * as words from "./connect-words";

type Detail = CheckStep["detail"];

/**
 * The steps of a check: those done with what was found, and those to come.
 * @param stepSinceMs when the current step began, epoch milliseconds on the server's clock; null: the check isn't
 *   running
 */
export function CheckList({
  steps,
  stepSinceMs,
}: {
  steps: readonly CheckStep[];
  stepSinceMs: number | null;
}) {
  return (
    <ol aria-live="polite" className="border-t border-line-strong">
      {CHECK_STEPS.map((name, at) => {
        const step = steps.find((one) => one.step === name);
        if (step !== undefined) return <DoneStep key={name} step={step} />;
        const isCurrent = stepSinceMs !== null && at === steps.length;
        return (
          <Line key={name} mark={<Ring isActive={isCurrent} />} name={name} isQuiet={!isCurrent}>
            {isCurrent ? <Working sinceMs={stepSinceMs} /> : words.WAITING}
          </Line>
        );
      })}
    </ol>
  );
}

function DoneStep({ step }: { step: CheckStep }) {
  const { step: name, ok, text, ms, detail } = step;
  const state = words.stateWords[`${ok}`];
  return (
    <Line
      mark={<Mark ok={ok} />}
      state={state}
      name={name}
      isQuiet={ok === null}
      took={ms === null ? "" : words.tookText(ms)}
    >
      <b className={ok === null ? "font-normal" : "font-medium"}>{text}</b>
      {detail.scopes === undefined ? null : <Scopes scopes={detail.scopes} />}
      {detail.note === null ? null : (
        <small className="mt-px block text-xs/[18px] text-ink-2">{detail.note}</small>
      )}
      {detail.sample === undefined || detail.sample.length === 0 ? null : (
        <Sample sample={detail.sample} all={detail.endpoints ?? detail.sample.length} />
      )}
    </Line>
  );
}

/** @param state of the step, for assistive technology; omitted: not done */
function Line({
  mark,
  state,
  name,
  isQuiet,
  took = "",
  children,
}: {
  mark: ReactNode;
  state?: string;
  name: CheckStep["step"];
  isQuiet: boolean;
  took?: string;
  children: ReactNode;
}) {
  return (
    <li
      className={`grid grid-cols-[20px_116px_minmax(0,1fr)_auto] items-start gap-x-3 border-b border-line py-[9px] max-sm:grid-cols-[20px_minmax(0,1fr)_auto] ${isQuiet ? "text-ink-3" : ""}`}
    >
      <span className="mt-[3px]">{mark}</span>
      <span className={isQuiet ? "" : "font-strong"}>
        {words.stepNames[name]}
        {state === undefined ? null : <span className="sr-only"> {state}:</span>}
      </span>
      <div className="min-w-0 wrap-anywhere max-sm:col-[2/4] max-sm:row-2">{children}</div>
      <span className="text-xs/[18px] whitespace-nowrap text-ink-3">{took}</span>
    </li>
  );
}

function Working({ sinceMs }: { sinceMs: number }) {
  return useNow((nowMs) => words.working(Math.max(0, Math.floor((nowMs - sinceMs) / 1000))));
}

/** A check mark, a cross, or a dash for what wasn't checked. */
function Mark({ ok, size = 13 }: { ok: boolean | null; size?: number }) {
  const shape = ok === null ? "M2.5 8h11" : ok ? "M2 8.6 6.2 12.8 14 4" : "M3 3l10 10M13 3 3 13";
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth={ok === true ? 2.2 : 1.8}
    >
      <path d={shape} />
    </svg>
  );
}

function Ring({ isActive }: { isActive: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={`ml-px block h-[11px] w-[11px] rounded-full border-[1.5px] ${isActive ? "border-dashed border-ink" : "border-control"}`}
    />
  );
}

function Scopes({ scopes }: { scopes: NonNullable<Detail["scopes"]> }) {
  return (
    <ul className="my-0.5 text-xs/[18px] text-ink-2">
      {scopes.map(({ scope, granted, use }) => (
        <li
          key={scope}
          className={`grid grid-cols-[14px_178px_minmax(0,1fr)] gap-x-2 py-px max-sm:grid-cols-[14px_minmax(0,1fr)] ${granted ? "" : "font-strong text-ink"}`}
        >
          <span className="mt-[4px]">
            <Mark ok={granted} size={10} />
          </span>
          <span className="font-mono">{scope}</span>
          <span className="max-sm:col-2">{words.scopeText(granted, use)}</span>
        </li>
      ))}
    </ul>
  );
}

/** The first rows of the API, before anything is judged. */
function Sample({ sample, all }: { sample: NonNullable<Detail["sample"]>; all: number }) {
  const timeZone = useZone();
  const head = words.sampleHead;
  const times = useNow((nowMs) =>
    sample
      .map(
        ({ last_updated_at: at, next_sync_at: next, status }) =>
          `${words.receivedText(at, nowMs, timeZone)}\t${words.nextText(next, status, nowMs)}`,
      )
      .join("\n"),
  ).split("\n");
  return (
    <>
      <ScrollRegion label={words.SAMPLE} className="mt-1.5 overflow-x-auto">
        <table className="w-full border border-line-strong bg-surface text-xs whitespace-nowrap [&_td]:h-[25px] [&_td]:border-t [&_td]:border-line [&_td]:px-2.5 [&_th]:bg-sunken [&_th]:px-2.5 [&_th]:py-[5px] [&_th]:text-left [&_th]:font-normal [&_th]:text-ink-3">
          <thead>
            <tr>
              <th scope="col">{head.partner}</th>
              <th scope="col">{head.endpoint}</th>
              <th scope="col">{head.expected}</th>
              <th scope="col" className="text-right!">
                {head.received}
              </th>
              <th scope="col" className="text-right!">
                {head.next}
              </th>
            </tr>
          </thead>
          <tbody>
            {sample.map(({ partner_name, endpoint_key, status, frequency_minutes }, at) => {
              const [received, next] = (times[at] ?? "").split("\t");
              return (
                <tr key={`${at} ${partner_name} ${endpoint_key}`}>
                  <td className="font-medium">
                    <bdi>{partner_name}</bdi>
                  </td>
                  <td className="font-mono">
                    <bdi>{endpoint_key}</bdi>
                  </td>
                  <td>{words.expectedText(frequency_minutes, status)}</td>
                  <td className="text-right">{received}</td>
                  <td className="text-right">{next}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </ScrollRegion>
      <small className="text-xs/[18px] text-ink-2">{words.sampleNote(sample.length, all)}</small>
    </>
  );
}
