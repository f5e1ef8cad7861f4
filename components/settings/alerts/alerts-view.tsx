"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useState, type FormEvent } from "react";
import {
  NEW_FIELDS,
  changedFields,
  fieldsOf,
  lacksOfFields,
} from "@/components/settings/rules/draft";
import type { Change } from "@/components/settings/rules/load-words";
import { Rehearsal } from "@/components/settings/rules/rehearsal";
import { FieldRow, RuleFields } from "@/components/settings/rules/rule-fields";
import {
  LACK_TEXT,
  alertsWords as words,
  formWords,
  nameIn,
  refusal,
} from "@/components/settings/rules/words";
import { ResourcePage, Unloaded } from "@/components/resource/resource-page";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/form/checkbox";
import { Empty } from "@/components/ui/empty";
import { lazyPart } from "@/components/ui/lazy-part";
import { afterEdit, formProblem, FormFields } from "@/components/ui/form/field-problem";
import { refusedTexts } from "@/components/ui/form/typed-input";
import { statusOf } from "@/lib/client/api";
import { saveMyAlerts, myAlertsQuery, type MyAlertsView } from "@/lib/client/queries/rules";
import type { MyAlerts } from "@/lib/contracts/delivery";

const MyLoad = lazyPart(() => import("./my-load"), null);
const NEW_ALERTS: MyAlerts = { ...NEW_FIELDS, inbox: true, mail: false, only_mine: true };

type Places = {
  companies: readonly { slug: string; name: string }[];
  partners: readonly string[];
};

/** Which alerts the signed-in person gets in their inbox and by mail. */
export function AlertsView(places: Places) {
  const { data, isError } = useQuery(myAlertsQuery);
  if (data !== undefined) return <Alerts view={data} {...places} />;
  return (
    <ResourcePage title={words.title}>
      <Unloaded isError={isError} words={words.notLoaded} />
    </ResourcePage>
  );
}

function Alerts({ view, companies, partners }: Places & { view: MyAlertsView }) {
  const client = useQueryClient();
  const [draft, setDraft] = useState(view.data);
  const [isBusy, setIsBusy] = useState(false);
  const [said, setSaid] = useState<{ isProblem: boolean; text: string } | null>(null);
  const [wrong, setWrong] = useState<ReturnType<typeof formProblem>>(null);
  const change = (changes: Partial<MyAlerts>) => {
    setDraft((before) => (before === null ? null : { ...before, ...changes }));
    setSaid(null);
    setWrong(afterEdit);
  };
  const use = (given: Change) => {
    change({
      ...changedFields(given),
      ...(given.only_mine !== undefined && { only_mine: given.only_mine }),
    });
    setSaid({ isProblem: false, text: words.used });
  };
  const keep = async (alerts: MyAlerts | null) => {
    if (isBusy) return;
    setIsBusy(true);
    setSaid(null);
    try {
      await saveMyAlerts(client, alerts);
      setDraft(alerts);
      setSaid({ isProblem: false, text: alerts === null ? words.turnedOff : words.saved });
    } catch (error) {
      const status = statusOf(error);
      setSaid({ isProblem: true, text: status === 409 ? words.noMailNow : refusal(status) });
    }
    setIsBusy(false);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (draft === null) return;
    const found = formProblem([
      ...lacksOfFields(draft).map((lack) => ({ problem: LACK_TEXT[lack], field: lack })),
      // A field with invalid text keeps its last valid time in the draft.
      ...refusedTexts(event.currentTarget),
    ]);
    setWrong(found);
    setSaid(null);
    if (found !== null) return;
    if (!draft.inbox && !draft.mail) setSaid({ isProblem: true, text: words.nowhere });
    else void keep(draft);
  };
  return (
    <ResourcePage title={words.title} subline={view.data === null ? words.off : words.on}>
      <div className={draft === null ? undefined : "two-columns is-even"}>
        <div>
          {draft === null ? (
            <Empty
              title={words.empty.title}
              action={
                <Button look="primary" onClick={() => setDraft(NEW_ALERTS)}>
                  {words.empty.start}
                </Button>
              }
            >
              {words.empty.sentence(view.can_mail)}
            </Empty>
          ) : (
            <form className="border-t border-line-strong" onSubmit={submit} noValidate>
              <FormFields problem={wrong}>
                <RuleFields
                  fields={draft}
                  companies={companies}
                  partners={partners}
                  onChange={change}
                  onlyMore={
                    <>
                      <Checkbox
                        isLabelShown
                        label={formWords.mine}
                        className="min-h-7 max-sm:min-h-11"
                        checked={draft.only_mine}
                        onChange={({ target }) => change({ only_mine: target.checked })}
                      />
                      <p className="flex-[1_0_100%] text-xs text-ink-2">{words.mineHint}</p>
                    </>
                  }
                  destinations={
                    <FieldRow label={formWords.sendTo} hint={words.sendHint}>
                      <Checkbox
                        isLabelShown
                        label={words.inbox}
                        className="min-h-7 max-sm:min-h-11"
                        checked={draft.inbox}
                        onChange={({ target }) => change({ inbox: target.checked })}
                      />
                      <Checkbox
                        isLabelShown
                        label={words.mail}
                        className="min-h-7 max-sm:min-h-11"
                        disabled={!view.can_mail && !draft.mail}
                        checked={draft.mail}
                        onChange={({ target }) => change({ mail: target.checked })}
                      />
                      {view.can_mail ? null : <p className="text-xs text-ink-2">{words.noMail}</p>}
                    </FieldRow>
                  }
                />
              </FormFields>
              <footer className="flex flex-wrap gap-2 border-t border-line-strong py-3.5">
                <Button type="submit" look="primary" isBusy={isBusy}>
                  {words.save}
                </Button>
                {view.data === null ? (
                  <Button isBusy={isBusy} onClick={() => setDraft(null)}>
                    {formWords.cancel}
                  </Button>
                ) : (
                  <Button className="ml-auto" isBusy={isBusy} onClick={() => void keep(null)}>
                    {words.turnOff}
                  </Button>
                )}
              </footer>
            </form>
          )}
          <p
            role={said?.isProblem === true ? "alert" : "status"}
            className={said?.isProblem === true ? "text-failing-text" : "text-ink-2"}
          >
            {said?.text}
          </p>
          <Suspense>
            <MyLoad nameOf={nameIn(companies)} onUse={draft === null ? null : use} />
          </Suspense>
        </div>
        {draft === null ? null : (
          <Rehearsal
            fields={{ ...fieldsOf(draft), only_mine: draft.only_mine }}
            to={draft.inbox && draft.mail ? words.both : words.you}
            companies={companies}
            onAll={() => change({ only_mine: false })}
          />
        )}
      </div>
    </ResourcePage>
  );
}
