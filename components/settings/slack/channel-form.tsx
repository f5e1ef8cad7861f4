import type { FormEvent } from "react";
import { Proof } from "@/components/session/proof";
import { formProblemIn, type Refused } from "@/components/session/refused";
import type { ChannelDraft } from "@/components/settings/channels/draft";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/form/field";
import { formProblem, FormFields } from "@/components/ui/form/field-problem";
import { useSending } from "@/components/ui/form/use-sending";
import type { TestResult } from "@/lib/client/queries/channels";
import type { ResumableDialog } from "@/lib/client/resumable-dialog";
import { lacksOf } from "./slack-draft";
import { channelStep as words, LACK_TEXT, outcomeText, proofWords } from "./words";

const LONGEST_NAME = 80;
const LONGEST_VALUE = 600;

/**
 * The tokens and the channel, saved and tested at once.
 * @param isLoaded whether `isNew` is known; nothing is sent before
 * @param result of the last test; null: none was sent
 * @param onSend saves and tests; resolves to null once a test has an outcome, else to the reason
 * @param kept state to restore after signing in at the identity provider
 */
export function ChannelForm({
  draft,
  isNew,
  isLoaded,
  result,
  onChange,
  onSend,
  kept,
}: {
  draft: ChannelDraft;
  isNew: boolean;
  isLoaded: boolean;
  result: TestResult | null;
  onChange: (draft: ChannelDraft) => void;
  onSend: () => Promise<Refused | null>;
  kept: () => ResumableDialog;
}) {
  const { isBusy, refused, setRefused, send } = useSending(onSend);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isLoaded) return;
    const problem = formProblem(
      lacksOf(draft, isNew).map((lack) => ({ problem: LACK_TEXT[lack], field: lack })),
    );
    if (problem === null) void send();
    else setRefused(problem);
  };
  const setting = (key: string, { example }: { example: string }, isSecret = false) => ({
    name: key,
    maxLength: LONGEST_VALUE,
    // A pasted secret is readable before it is sent, and never stored by the browser.
    autoComplete: "off",
    spellCheck: false,
    placeholder: isSecret && !isNew ? words.kept : example,
    value: draft.settings[key] ?? "",
    onChange: ({ target }: { target: HTMLInputElement }) =>
      onChange({ ...draft, settings: { ...draft.settings, [key]: target.value } }),
  });
  return (
    <form
      className="max-w-[560px]"
      onSubmit={submit}
      // We show our own messages for missing values.
      noValidate
    >
      <FormFields problem={formProblemIn(refused)}>
        <Field
          label={words.token.label}
          required={isNew}
          {...setting("token", words.token, true)}
        />
        <Hint>{words.token.hint}</Hint>
        <Field label={words.appToken.label} {...setting("app_token", words.appToken, true)} />
        <Hint>{words.appToken.hint}</Hint>
        <Field label={words.channel.label} required {...setting("channel", words.channel)} />
        <Hint>{words.channel.hint}</Hint>
        <Field
          label={words.name.label}
          maxLength={LONGEST_NAME}
          autoComplete="off"
          placeholder={words.name.example}
          value={draft.name}
          onChange={({ target }) => onChange({ ...draft, name: target.value })}
        />
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <Button
            type="submit"
            look={result?.outcome === "accepted" ? "plain" : "primary"}
            isBusy={isBusy || !isLoaded}
          >
            {isBusy ? words.saving : isNew ? words.save : words.saveAgain}
          </Button>
          <p className="text-xs text-ink-2">{words.note}</p>
        </div>
      </FormFields>
      <p role="status" className="mt-2 empty:hidden">
        {result === null ? null : <bdi>{outcomeText(result)}</bdi>}
        {result === null || result.outcome === "accepted" ? null : (
          <span className="block text-xs text-ink-2">{words.inList}</span>
        )}
      </p>
      <Proof
        isWanted={refused === "needs-reauthentication"}
        words={proofWords(isNew)}
        kept={kept}
        onProven={() => void send()}
        onBack={() => setRefused(null)}
      />
    </form>
  );
}

function Hint({ children }: { children: string }) {
  return <p className="-mt-2 mb-3 text-xs text-ink-2">{children}</p>;
}
