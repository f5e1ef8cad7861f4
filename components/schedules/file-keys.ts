import type { KeyWords } from "@/components/list/keys-dialog";

/** What the keys do in the list of files. @param canDelete whether files can be selected and deleted here */
export function fileKeys(canDelete: boolean): KeyWords {
  return [
    ["J, K or arrows", "move from file to file"],
    ["Home, End", "go to the first or last file"],
    [
      "← and →",
      canDelete ? "go to a file’s checkbox, name and Delete button" : "go to a file’s name",
    ],
    ["Enter", "open the file"],
    ...(canDelete
      ? ([
          ["x", "select the file, or clear its selection"],
          ["Shift and click", "select all files from the last one to this one"],
          ["Z", "undo a deletion while it’s pending"],
        ] as const)
      : []),
    ["/", "search names and projects"],
    ["Escape", "clear the search"],
    ["Ctrl or ⌘ K", "find anything, go to a page, do something"],
    ["?", "show these shortcuts"],
  ];
}
