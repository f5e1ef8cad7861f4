"use client";

import type { ComponentProps } from "react";
import { ResourcePage } from "@/components/resource/resource-page";
import { RULES_DIALOG } from "./draft";
import RuleForm from "./rule-form";
import { formWords as words } from "./words";

/** Edits one rule on a page of its own. */
export function RuleEditor(rule: Omit<ComponentProps<typeof RuleForm>, "words" | "kept">) {
  return (
    <ResourcePage title={rule.onDelete === null ? words.add : words.edit} subline={words.sentence}>
      <RuleForm {...rule} kept={(draft) => ({ kind: RULES_DIALOG, state: { draft } })} />
    </ResourcePage>
  );
}
