import { Button } from "@/components/ui/button";

/** The buttons below an editor's form. @param onDelete null: it can't be deleted */
export function EditorFooter({
  words,
  isBusy,
  onCancel,
  onDelete,
}: {
  words: { save: string; cancel: string; delete: string };
  isBusy: boolean;
  onCancel: () => void;
  onDelete: (() => void) | null;
}) {
  return (
    <footer className="flex flex-wrap gap-2 border-t border-line-strong py-3.5">
      <Button type="submit" look="primary" isBusy={isBusy}>
        {words.save}
      </Button>
      <Button isBusy={isBusy} onClick={onCancel}>
        {words.cancel}
      </Button>
      {onDelete === null ? null : (
        <Button className="ml-auto" isBusy={isBusy} onClick={onDelete}>
          {words.delete}
        </Button>
      )}
    </footer>
  );
}
