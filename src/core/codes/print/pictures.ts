import { withLogoPlacement } from '../../designs/design.ts';
import type { DesignStore, RendererFor } from '../../designs/ports.ts';
import { type ScreenImageSize, screenImages } from '../../designs/screen-images.ts';
import { requesterOf, type WorkOptions } from '../../fair-queue.ts';
import type { QrImageSource } from '../qr.ts';
import type { SheetForm } from './sheet-layout.ts';
import { printedDesign } from './symbols.ts';

export type CodePictures = ReturnType<typeof createCodePictures>;

/** Creates the service that draws codes for pages of the panel. */
export function createCodePictures(deps: {
  designs: Pick<DesignStore, 'find'>;
  rendererFor: RendererFor<'screenImage'>;
}) {
  const { designs, rendererFor } = deps;
  return {
    /** Draws a code as it is, or as a sheet prints it. @throws ServerBusy */
    draw: async (
      accountId: number,
      { shortLink, designId, logoPlacement }: QrImageSource,
      { size, form }: { readonly size: ScreenImageSize; readonly form: SheetForm },
      work?: WorkOptions,
    ): Promise<Uint8Array> => {
      const printed = printedDesign(form, await designs.find(designId));
      const design = withLogoPlacement(printed, logoPlacement);
      const { screenImage } = rendererFor(requesterOf(accountId, work));
      return screenImage(shortLink, design, {
        ...screenImages[size],
        isCompact: form === 'compact',
      });
    },
  };
}
