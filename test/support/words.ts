/** Splits a list of examples at its blanks and line breaks. */
export const words = (list: string): string[] => list.trim().split(/[ \n]+/);
