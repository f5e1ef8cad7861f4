import { expect, test } from "vitest";
import { dropResumableDialog, findResumableDialog, storeResumableDialog } from "./resumable-dialog";

/** @param room maximum number of characters */
function storageOf(room = Number.POSITIVE_INFINITY): Storage {
  const held = new Map<string, string>();
  return {
    get length() {
      return held.size;
    },
    clear: () => held.clear(),
    key: (at) => [...held.keys()][at] ?? null,
    getItem: (key) => held.get(key) ?? null,
    removeItem: (key) => void held.delete(key),
    setItem(key, value) {
      if (value.length > room) throw new DOMException("full", "QuotaExceededError");
      held.set(key, value);
    },
  };
}

const place = { pathname: "/northgate/schedules", search: "?type=xer" };
const here = { personId: "p1", place, nowMs: 1_000 };
const dialog = { kind: "delete-file", state: { typed: "tower" } };

test("restores a dialog at its own address, with the id of its person", () => {
  const storage = storageOf();
  storeResumableDialog(storage, dialog, here);
  expect(findResumableDialog(storage, "delete-file", here)).toEqual({
    personId: "p1",
    state: { typed: "tower" },
  });
  dropResumableDialog(storage);
  expect(findResumableDialog(storage, "delete-file", here)).toBeNull();
});

test("restores nothing at another address, for another dialog, after the time limit, or with a clock set back", () => {
  const storage = storageOf();
  storeResumableDialog(storage, dialog, here);
  const find = (kind: string, at: object) => findResumableDialog(storage, kind, { ...here, ...at });
  expect(find("unpair", {})).toBeNull();
  expect(find("delete-file", { place: { ...place, search: "" } })).toBeNull();
  expect(find("delete-file", { nowMs: 1_000 + 15 * 60_000 + 1 })).toBeNull();
  expect(find("delete-file", { nowMs: 999 })).toBeNull();
});

test("ignores broken or oversized data", () => {
  const storage = storageOf(300);
  for (const text of ["{", "null", "7", '{"kind":"delete-file"}']) {
    storage.setItem("kept-dialog", text);
    expect(findResumableDialog(storage, "delete-file", here)).toBeNull();
  }
  storeResumableDialog(storage, dialog, here);
  storeResumableDialog(storage, { ...dialog, state: "x".repeat(300) }, here);
  expect(findResumableDialog(storage, "delete-file", here)).toBeNull();
});
