import { Key, KeysFooter, ListKeys } from "@/components/list/keys-footer";
import { foot as words } from "./words";

/** Footer: how many lines there are, and the keyboard shortcuts, without those in `without`. */
export function TodayFoot({
  said,
  without,
  onHelp,
}: {
  said: string;
  without: readonly string[];
  onHelp: () => void;
}) {
  return (
    <KeysFooter label={words.keys} summary={said} all={words.all} onHelp={onHelp}>
      <ListKeys move={words.move} open={words.open} />
      {without.includes("A") ? null : (
        <span>
          <Key>A</Key> {words.take}
        </span>
      )}
      {without.includes("T") ? null : (
        <span>
          <Key>T</Key> {words.tell}
        </span>
      )}
    </KeysFooter>
  );
}
