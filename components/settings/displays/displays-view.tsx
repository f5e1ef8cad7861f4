"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useRef, useState } from "react";
import { ResourcePage } from "@/components/resource/resource-page";
import { useLatest } from "@/components/resource/use-resource";
import { When } from "@/components/resource/when";
import { Button } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { refusedFor, type Refused } from "@/components/session/refused";
import { useResumableDialog } from "@/components/session/use-resumable-dialog";
import { useZone } from "@/components/shell/time/zone";
import type { FormProblem } from "@/components/ui/form/field-problem";
import { lazyPart } from "@/components/ui/lazy-part";
import { textParam, usually } from "@/lib/client/address/address-params";
import { ApiError, statusOf } from "@/lib/client/api";
import {
  changeDisplay,
  displaysQuery,
  pairDisplay,
  reloadDisplay,
  revokeDisplay,
} from "@/lib/client/queries/displays";
import { useAddressParam } from "@/lib/client/address/use-address";
import { useNow, useServerClock } from "@/lib/client/use-now";
import type { Display, DisplaySettings, DisplaysView as View } from "@/lib/contracts/wall";
import {
  displayRefusal,
  displayStatus,
  displayStatusClause,
  needsALook,
  NO_SUCH_CODE,
} from "@/lib/domain/display-status";
import { codeIn } from "@/lib/domain/pairing-code";
import { DisplayForm, type Company, type FormUse } from "./display-form";
import { UNPAIR, isUnpairing } from "./unpairing";
import { DisplayList, type Action } from "./display-list";
import { factsOf } from "./display-facts";
import {
  DISPLAYS,
  DISPLAYS_INTRO,
  displaysTitle,
  done,
  formTitle,
  moreSilences,
  noDisplays,
  notRefreshed,
  pairHint,
  silence,
  unpairDialog,
  unpaired,
} from "./words";

const ConfirmDialog = lazyPart(() => import("@/components/resource/confirm-dialog"));

const codeParam = usually(textParam, "");

const NEW: FormUse = { kind: "pair", replaces: null };
/** More sentences are shown as a number. */
const MAX_SENTENCES = 3;

/**
 * Pairs screens, and lists displays with their status.
 * @param first data sent with the page, at `firstMs` on the server's clock
 * @param origin Plumbline's public origin
 */
export function DisplaysView({
  first,
  firstMs,
  companies,
  origin,
}: {
  first: View;
  firstMs: number;
  companies: readonly Company[];
  origin: string;
}) {
  const wallAddress = `${new URL(origin).host}/wall`;
  const client = useQueryClient();
  const clock = useServerClock();
  const latest = useLatest(displaysQuery(clock), { view: first, receivedMs: firstMs });
  const { displays } = latest.view;
  const [scanned, setScanned] = useAddressParam("code", codeParam);
  const [code, setCode] = useState(() => codeIn(scanned));
  const [use, setUse] = useState<FormUse>(NEW);
  const [revoked, setRevoked] = useState<Display | null>(null);
  useResumableDialog(UNPAIR, isUnpairing, ({ display: id }) =>
    setRevoked(displays.find((display) => display.id === id) ?? null),
  );
  const [said, setSaid] = useState("");
  /** Counts openings of the form; 0: opened with the page, without taking the focus. */
  const [round, setRound] = useState(0);

  const begin = (next: FormUse) => {
    setUse(next);
    setRound((before) => before + 1);
    setSaid("");
  };
  const title = useRef<HTMLHeadingElement>(null);
  const end = () => {
    // The pressed button is removed with the form.
    if (use !== NEW) title.current?.focus();
    setUse(NEW);
    setRound(0);
  };
  const send = async (settings: DisplaySettings): Promise<FormProblem | null> => {
    setSaid("");
    try {
      if (use.kind === "change") {
        await changeDisplay(client, use.display.id, settings);
        setSaid(done.changed(settings.name));
      } else {
        const replaces = use.replaces?.id ?? null;
        await pairDisplay(client, { ...settings, code, replaces });
        setSaid(done.paired(settings.name));
        setCode("");
        setScanned(null);
      }
      end();
      return null;
    } catch (error) {
      const isWrongCode = use.kind === "pair" && statusOf(error) === 404;
      return isWrongCode ? { field: "code", problem: NO_SUCH_CODE } : refusalOf(error);
    }
  };
  const act = (action: Action, display: Display) => {
    if (action === "change") begin({ kind: "change", display });
    if (action === "pairAgain") begin({ kind: "pair", replaces: display });
    if (action === "unpair") {
      setSaid("");
      setRevoked(display);
    }
    if (action === "reload") {
      reloadDisplay(client, display.id).then(
        () => setSaid(done.reloads(display.name)),
        (error: unknown) => setSaid(done.notReloaded(display.name, refusalOf(error))),
      );
    }
  };
  const revoke = async (display: Display): Promise<Refused | null> => {
    try {
      await revokeDisplay(client, display.id);
    } catch (error) {
      return refusedFor(error, refusalOf);
    }
    setRevoked(null);
    end();
    setSaid(done.unpaired(display.name));
    return null;
  };

  return (
    <ResourcePage title={DISPLAYS} subline={DISPLAYS_INTRO}>
      <section className="panel" aria-labelledby="display-form-title">
        <header>
          <h2 ref={title} id="display-form-title" tabIndex={-1} className="font-strong">
            <FormTitle use={use} />
          </h2>
          {use.kind === "change" ? null : (
            <p className="text-ink-2">
              {pairHint(<b className="font-medium text-ink">{wallAddress}</b>)}
            </p>
          )}
        </header>
        <DisplayForm
          key={`${keyOf(use)} ${round}`}
          use={use}
          code={code}
          companies={companies}
          replaceable={displays}
          isWanted={round > 0}
          onCode={setCode}
          onSend={send}
          onReplace={(replaces) => begin({ kind: "pair", replaces })}
          onCancel={end}
        />
      </section>
      <Displays
        latest={latest}
        companies={companies}
        wallAddress={wallAddress}
        onPair={() => begin({ kind: "pair", replaces: null })}
        onAct={act}
      />
      <p
        role="status"
        className="sticky bottom-3.5 mx-auto w-fit max-w-full rounded bg-ink px-3.5 py-[9px] wrap-anywhere text-ink-inverse empty:hidden"
      >
        {said}
      </p>
      {revoked === null ? null : (
        <UnpairDialog
          display={revoked}
          onDo={() => revoke(revoked)}
          onClose={() => setRevoked(null)}
        />
      )}
    </ResourcePage>
  );
}

/** Paired displays, and below them those unpaired lately. */
function Displays({
  latest: { view, receivedMs, isError },
  companies,
  wallAddress,
  onPair,
  onAct,
}: {
  latest: { view: View; receivedMs: number; isError: boolean };
  companies: readonly Company[];
  wallAddress: string;
  onPair: () => void;
  onAct: (action: Action, display: Display) => void;
}) {
  const paired = view.displays.filter((display) => display.revoked_at === null);
  const over = view.displays.filter((display) => display.revoked_at !== null);
  const shared = { companies, build: view.build, onAct };
  return (
    <section className="panel" aria-labelledby="displays-title">
      <header>
        <h2 id="displays-title" className="font-strong">
          {displaysTitle(paired.length)}
        </h2>
        {isError ? (
          <p className="text-ink-2">
            <When at={new Date(receivedMs).toISOString()} say={notRefreshed} />
          </p>
        ) : null}
      </header>
      <Silences displays={paired} />
      {paired.length === 0 ? (
        <Empty
          title={noDisplays.title}
          action={<Button onClick={onPair}>{noDisplays.enter}</Button>}
        >
          {noDisplays.sentence(wallAddress)}
        </Empty>
      ) : (
        <DisplayList label={DISPLAYS} displays={paired} {...shared} />
      )}
      {over.length === 0 ? null : (
        <details className="mt-3">
          <summary className="w-fit py-[5px] text-ink-2">{unpaired.summary(over.length)}</summary>
          <DisplayList label={unpaired.label} displays={over} {...shared} />
        </details>
      )}
    </section>
  );
}

function UnpairDialog({
  display: { id, name, place },
  onDo,
  onClose,
}: {
  display: Display;
  onDo: () => Promise<Refused | null>;
  onClose: () => void;
}) {
  return (
    <Suspense>
      <ConfirmDialog
        title={unpairDialog.title(<bdi>{name}</bdi>)}
        keep={unpairDialog.keep}
        act={unpairDialog.unpair(<bdi>{name}</bdi>)}
        proof={{
          words: unpairDialog.proof,
          kept: () => ({ kind: UNPAIR, state: { display: id } }),
        }}
        onDo={onDo}
        onClose={onClose}
      >
        {place === "" ? null : <>{unpairDialog.place(<bdi className="text-ink">{place}</bdi>)} </>}
        {unpairDialog.sentence}
      </ConfirmDialog>
    </Suspense>
  );
}

function keyOf(use: FormUse): string {
  return use.kind === "change" ? `change ${use.display.id}` : `pair ${use.replaces?.id ?? "new"}`;
}

function FormTitle({ use }: { use: FormUse }) {
  if (use.kind === "change") {
    return formTitle.change(<bdi>{use.display.name}</bdi>);
  }
  if (use.replaces === null) return formTitle.pair;
  return formTitle.pairAgain(<bdi>{use.replaces.name}</bdi>);
}

/** Displays that need attention, as sentences: "Room 3 has shown nothing new since 09:12." */
function Silences({ displays }: { displays: readonly Display[] }) {
  const timeZone = useZone();
  const text = useNow((nowMs) => {
    const sentences = displays.flatMap((display) => {
      const status = displayStatus(factsOf(display), nowMs);
      if (!needsALook(status)) return [];
      return [silence(display.name, displayStatusClause(status, { nowMs, timeZone }))];
    });
    const more = sentences.length - MAX_SENTENCES;
    return [...sentences.slice(0, MAX_SENTENCES), ...(more > 0 ? [moreSilences(more)] : [])].join(
      " ",
    );
  });
  return (
    <p
      role="status"
      className="mb-2.5 border border-l-3 border-line-strong border-l-ink bg-surface px-3 py-[7px] font-medium wrap-anywhere empty:hidden"
    >
      {text}
    </p>
  );
}

function refusalOf(error: unknown): string {
  const after = error instanceof ApiError ? error.retryAfterSeconds : null;
  return displayRefusal(statusOf(error), after);
}
