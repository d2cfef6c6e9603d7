import type { StartRenderWorker } from '../../compose/runtime.ts';
import type { Config } from '../../config.ts';
import { sampleShortLink } from '../../core/codes/qrs.ts';
import { plainDesign } from '../../core/designs/design.ts';
import { errorMessage } from '../../lib/errors.ts';
import { createRenderer } from '../../render/renderer.ts';
import { broken, type Check, fine, warning } from './check.ts';

// Up to this version of the symbol, a code of 2 cm can be read from an arm's length.
const roomyModules = 41;

/** Draws a sample link and reads it back, with whichever rasterizer can be loaded. */
export async function checkRenderer(
  config: Config,
  startRenderWorker: StartRenderWorker,
): Promise<Check> {
  const name = 'renderer';
  const renderer = createRenderer({ startRenderWorker, workers: 1 });
  try {
    const link = sampleShortLink(config);
    const { isReadable, modules } = await renderer.checkReadability(link, plainDesign);
    await renderer.png(link, plainDesign, 256);
    if (!isReadable)
      return broken(
        name,
        `a plain code of ${link} cannot be read back`,
        'Choose a shorter WAYMARK_SHORT_URL, and run "waymark verify".',
      );
    const size = `a code of ${link} has ${modules} × ${modules} modules`;
    if (modules > roomyModules)
      return warning(name, `${size}, which is much`, 'Choose a shorter WAYMARK_SHORT_URL.');
    return fine(name, `draws and reads back; ${size}`);
  } catch (error) {
    return broken(
      name,
      `nothing can be drawn: ${errorMessage(error)}`,
      'See that the machine has a few hundred megabytes of memory left; install the program anew.',
    );
  } finally {
    await renderer.close();
  }
}
