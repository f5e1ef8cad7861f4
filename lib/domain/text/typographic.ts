/** A sentence of JSON, which has straight apostrophes, as pages show it. */
export const typographic = (sentence: string) => sentence.replaceAll(/(?<=\p{L})'(?=\p{L})/gu, "’");
