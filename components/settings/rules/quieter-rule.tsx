"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { quieterRuleQuery, type RuleFields } from "@/lib/client/queries/rules";
import { changedFields } from "./draft";
import { loadWords as words } from "./load-words";
import { Suggestions } from "./suggestions";

/** As the rehearsal above counts. */
const UNIT = { days: 30 };

/**
 * What would make a rule quieter, once asked for. Default export for `lazyPart`.
 * @param onUse puts a change into the form
 */
export default function QuieterRule({
  fields,
  onUse,
}: {
  fields: RuleFields;
  onUse: (changes: Partial<RuleFields>) => void;
}) {
  const [asked, setAsked] = useState<RuleFields | null>(null);
  const { data, isError, isFetching } = useQuery({
    ...quieterRuleQuery(asked ?? fields),
    enabled: asked !== null,
  });
  return (
    <div className="mt-3">
      <Button disabled={isFetching} onClick={() => setAsked(fields)}>
        {words.find}
      </Button>
      <div role="status">
        {asked === null ? null : data === undefined ? (
          <p className="mt-2 text-xs text-ink-2">{isError ? words.notFound : words.finding}</p>
        ) : data.suggestions.length === 0 ? (
          <p className="mt-2 text-xs text-ink-2">{words.none}</p>
        ) : (
          <Suggestions
            suggestions={data.suggestions}
            unit={UNIT}
            onUse={(change) => onUse(changedFields(change))}
          />
        )}
      </div>
    </div>
  );
}
