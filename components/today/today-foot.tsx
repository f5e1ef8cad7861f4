import { Key, KeysFooter, ListKeys } from "@/components/list/keys-footer";
import { foot as words } from "./words";

/** Footer: how many lines there are, and the keyboard shortcuts. */
export function TodayFoot({ said, onHelp }: { said: string; onHelp: () => void }) {
  return (
    <KeysFooter label={words.keys} summary={said} all={words.all} onHelp={onHelp}>
      <ListKeys move={words.move} open={words.open} />
      <span>
        <Key>A</Key> {words.take}
      </span>
      <span>
        <Key>T</Key> {words.tell}
      </span>
    </KeysFooter>
  );
}
