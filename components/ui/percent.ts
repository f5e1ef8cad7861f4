/** A share of a width or height as a CSS length; 0.25 is "25%". */
export function percent(share: number): string {
  return `${share * 100}%`;
}
