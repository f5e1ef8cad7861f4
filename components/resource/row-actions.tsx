/** Accessible name of a row's action: "Edit: Ana Rask". */
export const actionLabel = (action: string, name: string) => `${action}: ${name}`;

/**
 * Buttons of one row.
 * @param name the row's name
 * @param words label of each action
 * @param busy the running action with its label meanwhile; its button keeps the focus
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
        data-act={actionLabel(action, name)}
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
