import { createCache } from '../../lib/cache.ts';
import { requesterOf, type WorkOptions } from '../fair-queue.ts';
import type { Acting, Clock } from '../ports.ts';
import {
  type Design,
  type Logo,
  plainDesign,
  type ReadabilityResult,
  withLogoPlacement,
} from './design.ts';
import type { DesignStore, RendererFor } from './ports.ts';
import type { DesignPreset } from './presets.ts';
import { type ScreenImageSize, screenImages } from './screen-images.ts';

/** A preview of a design, with its readability. */
export interface DesignPreview {
  readonly readability: ReadabilityResult;
  /** PNG or WebP. */
  readonly picture: Uint8Array;
}

export type DefaultDesigns = ReturnType<typeof createDefaultDesigns>;

/**
 * Manages the default designs of accounts. Existing codes keep the design they were created with.
 *
 * @param deps.sampleLink the short link that previews encode
 */
export function createDefaultDesigns(deps: {
  designs: Pick<DesignStore, 'add' | 'find' | 'findDefault'>;
  rendererFor: RendererFor;
  clock: Clock;
  sampleLink: string;
}) {
  const { designs, rendererFor, clock, sampleLink } = deps;
  // Designs never change.
  const checked = createCache<number, ReadabilityResult>(1000);
  const presets = createCache<string, Uint8Array>(100);
  const checkOnce = async (accountId: number, id: number, design: Design, work?: WorkOptions) => {
    const renderer = rendererFor(requesterOf(accountId, work));
    const readability = checked.get(id) ?? (await renderer.checkReadability(sampleLink, design));
    checked.set(id, readability);
    return readability;
  };
  return {
    find: async (accountId: number): Promise<Design> =>
      (await designs.findDefault(accountId)).design,
    findId: async (accountId: number): Promise<number> => (await designs.findDefault(accountId)).id,
    /** Returns the default design with its readability. @throws ServerBusy */
    status: async (accountId: number, work?: WorkOptions) => {
      const { id, design } = await designs.findDefault(accountId);
      return { id, design, readability: await checkOnce(accountId, id, design, work) };
    },
    /** Does the same for a stored design of the account. @throws ServerBusy */
    storedStatus: async (accountId: number, id: number, work?: WorkOptions) => {
      const design = await designs.find(id);
      return { id, design, readability: await checkOnce(accountId, id, design, work) };
    },
    /** Draws a stored design of the account for a page. @throws ServerBusy */
    storedPicture: async (
      accountId: number,
      id: number,
      work?: WorkOptions,
    ): Promise<Uint8Array> => {
      const design = await designs.find(id);
      const { logoPlacement } = await checkOnce(accountId, id, design, work);
      const placed = withLogoPlacement(design, logoPlacement);
      const renderer = rendererFor(requesterOf(accountId, work));
      return renderer.screenImage(sampleLink, placed, screenImages.medium);
    },
    /** Checks the readability of a design without storing it. @throws ServerBusy */
    check: (accountId: number, design: Design, work?: WorkOptions): Promise<ReadabilityResult> =>
      rendererFor(requesterOf(accountId, work)).checkReadability(sampleLink, design),
    /** Does the same, and draws it. @throws ServerBusy */
    preview: async (
      accountId: number,
      design: Design,
      size: ScreenImageSize,
      work?: WorkOptions,
    ): Promise<DesignPreview> => {
      const renderer = rendererFor(requesterOf(accountId, work));
      const readability = await renderer.checkReadability(sampleLink, design);
      const placed = withLogoPlacement(design, readability.logoPlacement);
      const picture = await renderer.screenImage(sampleLink, placed, screenImages[size]);
      return { readability, picture };
    },
    /** Draws a preset without a logo. @throws ServerBusy */
    presetPicture: async (
      accountId: number,
      { name, changes }: DesignPreset,
      work?: WorkOptions,
    ): Promise<Uint8Array> => {
      const design = withLogoPlacement({ ...plainDesign, ...changes }, null);
      const renderer = rendererFor(requesterOf(accountId, work));
      const picture =
        presets.get(name) ?? (await renderer.screenImage(sampleLink, design, screenImages.medium));
      presets.set(name, picture);
      return picture;
    },
    /** Draws a logo alone. @throws ServerBusy */
    logoPicture: (accountId: number, logo: Logo, work?: WorkOptions): Promise<Uint8Array> =>
      rendererFor(requesterOf(accountId, work)).logoThumbnail(logo, screenImages.logo),
    /** Stores a design, readable or not. Readability is required when a code is created (SPEC rule 5). */
    save: async (acting: Acting, design: Design): Promise<void> => {
      await designs.add(acting, design, clock.nowMs());
    },
    /** @throws Refused, ServerBusy */
    normalizeLogo: (accountId: number, bytes: Uint8Array, work?: WorkOptions): Promise<Logo> =>
      rendererFor(requesterOf(accountId, work)).normalizeLogo(bytes),
  };
}
