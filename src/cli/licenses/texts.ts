import { readLicenses } from './read.macro.ts' with { type: 'macro' };
import type { Licenses } from './read.macro.ts';

/** Some hundred kilobytes in a file of their own, because one command alone needs them. */
export const licenses: Licenses = readLicenses();
