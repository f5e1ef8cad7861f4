"use client";

import { useRef, useState } from "react";
import { ResourceForm } from "@/components/resource/resource-form";
import type { Refused } from "@/components/session/refused";
import { CopyButton } from "@/components/ui/copy-button";
import { Field } from "@/components/ui/form/field";
import { QrCode } from "@/components/marks/qr-code";
import type { ResumableDialog } from "@/lib/client/resumable-dialog";
import { CodeRequest, type Enrolment } from "@/lib/contracts/me";
import { MISSING, proofWords, setUpDialog as words } from "./words";

/**
 * Shows the secret for an authenticator app, which a code of the app then confirms. Default export for `lazyPart`.
 * @param onConfirm resolves to null on success, else to the reason
 */
export default function SetUpDialog({
  enrolment: { secret, uri },
  kept,
  onConfirm,
  onClose,
}: {
  enrolment: Enrolment;
  kept: () => ResumableDialog;
  onConfirm: (code: string) => Promise<Refused | null>;
  onClose: () => void;
}) {
  const [code, setCode] = useState("");
  const field = useRef<HTMLInputElement>(null);
  return (
    <ResourceForm
      title={words.title}
      closeLabel={words.cancel}
      save={words.save}
      schema={CodeRequest}
      value={{ code }}
      problemOf={() => MISSING}
      proof={proofWords.setUp}
      kept={kept}
      initialFocus={field}
      onSend={async (value) => {
        const refused = await onConfirm(value.code);
        if (refused !== null && refused !== "needs-reauthentication") field.current?.select();
        return refused;
      }}
      onClose={onClose}
    >
      <p className="-mt-1 mb-3 text-ink-2">{words.scan}</p>
      <div className="mb-4 flex flex-wrap items-center gap-4">
        <QrCode text={uri} label={words.qr} className="size-[168px] [shape-rendering:crispEdges]" />
        <div className="min-w-0 flex-1 basis-[220px]">
          <p className="text-xs font-medium">{words.key}</p>
          <p className="mt-1 mb-2 font-mono text-xs/5 break-all">{grouped(secret)}</p>
          <CopyButton text={() => secret}>{words.copyKey}</CopyButton>
        </div>
      </div>
      <Field
        ref={field}
        label={words.code}
        name="code"
        value={code}
        onChange={({ target }) => setCode(target.value)}
        autoComplete="one-time-code"
        inputMode="numeric"
        required
        maxLength={10}
      />
    </ResourceForm>
  );
}

/** In groups of four, which are easier to type. */
function grouped(secret: string): string {
  return secret.replaceAll(/(.{4})(?=.)/g, "$1 ");
}
