import type { Clock, DesignStore, Renderer } from '../ports.ts';
import { type Design, type Logo, type ReadabilityResult, withLogoPlacement } from './design.ts';

/** A design as its next code would look, and what the readability gate says of it. */
export interface DesignPreview {
  readonly readability: ReadabilityResult;
  readonly svg: Uint8Array;
}

export type DefaultDesigns = ReturnType<typeof createDefaultDesigns>;

/**
 * The design that an account's new codes get. Codes that exist keep the one they were made in.
 *
 * @param sampleLink a short link as new codes get it, to render and judge designs on
 */
export function createDefaultDesigns(world: {
  designs: Pick<DesignStore, 'add' | 'findDefault'>;
  renderer: Renderer;
  clock: Clock;
  sampleLink: string;
}) {
  const { designs, renderer, clock, sampleLink } = world;
  return {
    find: async (accountId: number): Promise<Design> =>
      (await designs.findDefault(accountId)).design,
    /** Renders and judges a design without keeping it. @throws RendererBusy */
    preview: async (design: Design): Promise<DesignPreview> => {
      const readability = await renderer.checkReadability(sampleLink, design);
      const svg = await renderer.svg(
        sampleLink,
        withLogoPlacement(design, readability.logoPlacement),
      );
      return { readability, svg };
    },
    /** Keeps a design, readable or not: the gate stands where codes are created (SPEC rule 5). */
    save: async (accountId: number, design: Design): Promise<void> => {
      await designs.add(accountId, design, clock.nowMs());
    },
    /** @throws InvalidLogo with what is wrong and what would be right */
    normalizeLogo: (bytes: Uint8Array): Promise<Logo> => renderer.normalizeLogo(bytes),
  };
}
