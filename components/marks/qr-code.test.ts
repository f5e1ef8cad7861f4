import { encode } from "uqr";
import { expect, test } from "vitest";
import { qrPath } from "./qr-code";

/** The modules that a path of rectangles covers. */
function modulesOf(path: string, size: number): boolean[][] {
  const data = Array.from({ length: size }, () => Array<boolean>(size).fill(false));
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let at = 0; at < Number(length); at += 1) {
      const row = data[Number(y)];
      if (row !== undefined) row[Number(x) + at] = true;
    }
  }
  return data;
}

test("covers the dark modules and no other", () => {
  const text = "https://plumbline.example/settings/displays?code=7KX42M9P";
  const { data, size } = encode(text, { ecc: "M", border: 0 });
  expect(modulesOf(qrPath(data), size)).toEqual(data);
});

test("ends a dark run at the row's edge", () => {
  expect(qrPath([[false, true, true]])).toBe("M1 0h2v1h-2z");
  expect(qrPath([[false], [false]])).toBe("");
});
