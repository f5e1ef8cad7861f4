/**
 * Characters that a TrueType font covers, from its `cmap` table (format 4, the basic multilingual
 * plane).
 * @throws Error when there is no such table
 */
export function coverageOf(font: Buffer): ReadonlySet<number> {
  const cmapAt = tableAt(font, "cmap");
  const covered = new Set<number>();
  for (let table = 0; table < font.readUInt16BE(cmapAt + 2); table += 1) {
    const at = cmapAt + font.readUInt32BE(cmapAt + 4 + table * 8 + 4);
    if (font.readUInt16BE(at) !== 4) continue;
    const segments = font.readUInt16BE(at + 6) / 2;
    const [endsAt, startsAt] = [at + 14, at + 16 + segments * 2];
    const [deltasAt, rangesAt] = [startsAt + segments * 2, startsAt + segments * 4];
    for (let segment = 0; segment < segments; segment += 1) {
      const end = font.readUInt16BE(endsAt + segment * 2);
      const start = font.readUInt16BE(startsAt + segment * 2);
      const delta = font.readUInt16BE(deltasAt + segment * 2);
      const range = font.readUInt16BE(rangesAt + segment * 2);
      for (let code = start; code <= end && code !== 0xffff; code += 1) {
        const glyphAt = rangesAt + segment * 2 + range + (code - start) * 2;
        const glyph = range === 0 ? code : font.readUInt16BE(glyphAt);
        if (glyph !== 0 && ((glyph + delta) & 0xffff) !== 0) covered.add(code);
      }
    }
  }
  if (covered.size === 0) throw new Error("the font has no characters that we can read");
  return covered;
}

function tableAt(font: Buffer, name: string): number {
  for (let table = 0; table < font.readUInt16BE(4); table += 1) {
    const at = 12 + table * 16;
    if (font.toString("latin1", at, at + 4) === name) return font.readUInt32BE(at + 8);
  }
  throw new Error(`the font has no table ${name}`);
}
