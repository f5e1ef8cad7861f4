/** Accessible name of an action on one row: "Edit: Ana Rask". */
export const actionLabel = (action: string, name: string) => `${action}: ${name}`;

/**
 * What can be done with one row.
 * @param name of what the row is about
 * @param words label of each action
 * @param busy one that is under way, with what its button says meanwhile; it keeps the focus
 */
export function RowActions<Action extends string>({
  name,
  actions,
  words,
  busy = null,
  onAct,
}: {
  name: string;
  actions: readonly Action[];
  words: Readonly<Record<Action, string>>;
  busy?: { action: Action; text: string } | null;
  onAct: (action: Action) => void;
}) {
  return actions.map((action) => {
    const isBusy = action === busy?.action;
    return (
      <button
        key={action}
        type="button"
        className="settings-act"
        aria-label={actionLabel(words[action], name)}
        // Not disabled: that would move the focus.
        aria-disabled={isBusy}
        onClick={() => {
          if (!isBusy) onAct(action);
        }}
      >
        {isBusy ? busy?.text : words[action]}
      </button>
    );
  });
}
