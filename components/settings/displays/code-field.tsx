import { useLayoutEffect, useRef, useState } from "react";
import { Field } from "@/components/ui/form/field";
import {
  CODE_LENGTH,
  codeIn,
  groupedCode,
  isWholeCode,
  strangeLetters,
  typedCode,
} from "@/lib/domain/pairing-code";
import { codeWords } from "./words";

/**
 * Field for a display's code, grouped while typing. Pasted text may contain more than the code.
 * @param code a `typedCode`
 */
export function CodeField({ code, onChange }: { code: string; onChange: (code: string) => void }) {
  const box = useRef<HTMLDivElement>(null);
  const [caret, setCaret] = useState<{ at: number } | null>(null);
  // Grouping rewrites the text, which would move the caret to its end.
  useLayoutEffect(() => {
    const input = box.current?.querySelector("input");
    if (caret !== null && input === document.activeElement) {
      input?.setSelectionRange(caret.at, caret.at);
    }
  }, [caret]);
  const isImpossible = code.length === CODE_LENGTH && !isWholeCode(code);
  return (
    <div ref={box} className="[&_input]:font-mono [&_input]:text-md [&_input]:tracking-[0.06em]">
      <Field
        label={codeWords.label}
        name="code"
        required
        value={groupedCode(code)}
        placeholder={codeWords.example}
        autoComplete="off"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        onChange={({ target: { value, selectionStart } }) => {
          const before = typedCode(value.slice(0, selectionStart ?? value.length)).length;
          const next = codeIn(value);
          onChange(next);
          setCaret({ at: groupedCode(next.slice(0, before)).length });
        }}
        problem={isImpossible ? codeWords.impossible([...new Set(strangeLetters(code))]) : null}
      />
    </div>
  );
}
