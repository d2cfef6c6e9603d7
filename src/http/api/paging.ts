import type { WholeNumber } from '../../lib/whole-number.ts';

export const limitRange: WholeNumber = { default: 50, min: 1, max: 100 };
// Beyond any list; SQLite's own integers reach further.
export const offsetRange: WholeNumber = { default: 0, min: 0, max: 1_000_000_000 };
