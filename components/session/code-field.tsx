"use client";

import { useState } from "react";
import { Field } from "@/components/ui/form/field";
import { codeWords as words } from "./words";

/**
 * The field `code` of a form: a code of the authenticator app, or instead a recovery code.
 * @param problem what is wrong with it; null: nothing
 */
export function CodeField({
  problem,
  isFocused = false,
}: {
  problem: string | null;
  /** Whether it is focused when it appears. */
  isFocused?: boolean;
}) {
  const [isRecovery, setIsRecovery] = useState(false);
  const [isSwitched, setIsSwitched] = useState(false);
  return (
    <>
      <Field
        key={isRecovery ? "recovery" : "app"}
        label={isRecovery ? words.recovery : words.app}
        name="code"
        autoComplete={isRecovery ? "off" : "one-time-code"}
        inputMode={isRecovery ? "text" : "numeric"}
        autoCapitalize="none"
        spellCheck={false}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it appears because of what the person just did
        autoFocus={isFocused || isSwitched}
        required
        maxLength={100}
        problem={problem}
      />
      <button
        type="button"
        className="mb-3 block text-xs text-ink-2 underline underline-offset-3 max-sm:min-h-11"
        onClick={() => {
          setIsRecovery(!isRecovery);
          setIsSwitched(true);
        }}
      >
        {isRecovery ? words.appInstead : words.recoveryInstead}
      </button>
    </>
  );
}
