import { digestRenderer } from './identity.macro.ts' with { type: 'macro' };

/** Names what draws in this program: it differs where a drawing might. */
export const rendererIdentity: string = digestRenderer();
