import { Key, KeysFoot, ListKeys } from "@/components/list/keys-foot";
import { foot as words } from "./words";

/** Footer: how many lines there are, and the keyboard shortcuts. */
export function TodayFoot({ said, onHelp }: { said: string; onHelp: () => void }) {
  return (
    <KeysFoot label={words.keys} said={said} all={words.all} onHelp={onHelp}>
      <ListKeys move={words.move} open={words.open} />
      <span>
        <Key>A</Key> {words.take}
      </span>
      <span>
        <Key>T</Key> {words.tell}
      </span>
    </KeysFoot>
  );
}
