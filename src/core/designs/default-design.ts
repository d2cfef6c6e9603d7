import { createCache } from '../../lib/cache.ts';
import { requesterOf, type WorkOptions } from '../fair-queue.ts';
import type { Clock } from '../ports.ts';
import {
  type Design,
  type Logo,
  plainDesign,
  type ReadabilityResult,
  withLogoPlacement,
} from './design.ts';
import type { DesignStore, RendererFor } from './ports.ts';
import type { DesignPreset } from './presets.ts';

/** A preview of a design, with its readability. */
export interface DesignPreview {
  readonly readability: ReadabilityResult;
  readonly svg: Uint8Array;
}

export type DefaultDesigns = ReturnType<typeof createDefaultDesigns>;

/**
 * Manages the default designs of accounts. Existing codes keep the design they were created with.
 *
 * @param deps.sampleLink the short link that previews encode
 */
export function createDefaultDesigns(deps: {
  designs: Pick<DesignStore, 'add' | 'findDefault'>;
  rendererFor: RendererFor;
  clock: Clock;
  sampleLink: string;
}) {
  const { designs, rendererFor, clock, sampleLink } = deps;
  // Designs never change.
  const checked = createCache<number, ReadabilityResult>(1000);
  const pictures = createCache<string, Uint8Array>(100);
  return {
    find: async (accountId: number): Promise<Design> =>
      (await designs.findDefault(accountId)).design,
    /** Returns the default design with its readability. @throws ServerBusy */
    status: async (accountId: number, work?: WorkOptions) => {
      const { id, design } = await designs.findDefault(accountId);
      const renderer = rendererFor(requesterOf(accountId, work));
      const readability = checked.get(id) ?? (await renderer.checkReadability(sampleLink, design));
      checked.set(id, readability);
      return { id, design, readability };
    },
    /** Renders a design and checks its readability without storing it. @throws ServerBusy */
    preview: async (
      accountId: number,
      design: Design,
      work?: WorkOptions,
    ): Promise<DesignPreview> => {
      const renderer = rendererFor(requesterOf(accountId, work));
      const readability = await renderer.checkReadability(sampleLink, design);
      const placed = withLogoPlacement(design, readability.logoPlacement);
      return { readability, svg: await renderer.svg(sampleLink, placed) };
    },
    /** Renders a preset without a logo. @throws ServerBusy */
    presetSvg: async (
      accountId: number,
      { name, changes }: DesignPreset,
      work?: WorkOptions,
    ): Promise<Uint8Array> => {
      const design = withLogoPlacement({ ...plainDesign, ...changes }, null);
      const renderer = rendererFor(requesterOf(accountId, work));
      const svg = pictures.get(name) ?? (await renderer.svg(sampleLink, design));
      pictures.set(name, svg);
      return svg;
    },
    /** Stores a design, readable or not. Readability is required when a code is created (SPEC rule 5). */
    save: async (accountId: number, design: Design): Promise<void> => {
      await designs.add(accountId, design, clock.nowMs());
    },
    /** @throws InvalidLogo, ServerBusy */
    normalizeLogo: (accountId: number, bytes: Uint8Array, work?: WorkOptions): Promise<Logo> =>
      rendererFor(requesterOf(accountId, work)).normalizeLogo(bytes),
  };
}
