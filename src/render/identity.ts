import { digestRenderer } from './identity.macro.ts' with { type: 'macro' };

/** Identifies the drawing code: server versions of equal identity draw equal images. */
export const rendererIdentity: string = digestRenderer();
