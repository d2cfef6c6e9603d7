/** @jsxImportSource preact */

import type { PrintAdvice } from '../../core/codes/print/size.ts';
import type { Qr } from '../../core/codes/qr.ts';
import { offeredPngWidthsPx } from '../../core/codes/qrs.ts';
import { formatNumber } from '../../lib/numbers.ts';
import { Fact, Image } from '../ui/components.tsx';
import { formatLength } from '../ui/formatting.ts';
import { Link, PostButton, useHasActivePlan } from '../ui/page-context.tsx';
import { codePath } from './code-label.tsx';

// At 300 dpi.
const printedPxPerMm = 300 / 25.4;

/** The image of a code, with its downloads. */
export function CodeImage({ qr }: { qr: Qr }) {
  const image = `${codePath(qr.code)}/image`;
  return (
    <section class="card pad stack tight">
      <h2 class="hidden">Image</h2>
      <figure class="plate">
        <Image path={`${image}.svg`} alt={`QR code of ${qr.shortLink}`} widthPx={288} />
      </figure>
      <h3>Download</h3>
      <ul class="list">
        <li>
          <Link to={`${image}.svg`} download>
            SVG
          </Link>
          <span class="hint">any size</span>
        </li>
        {offeredPngWidthsPx.map((widthPx) => (
          <li key={widthPx}>
            <Link to={`${image}.png?size=${widthPx}`} download>
              PNG {formatNumber(widthPx)} px
            </Link>
            <span class="hint">up to {formatLength(widthPx / printedPxPerMm)} wide</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What there is instead of an image for an imported link. */
export function NoImage({ qr }: { qr: Qr }) {
  const hasActivePlan = useHasActivePlan();
  return (
    <section class="card pad stack tight">
      <h2>No image</h2>
      <p>
        Another service printed this link, so Waymark has no image of it. It redirects and counts
        like any other code.
      </p>
      {hasActivePlan && (
        <PostButton
          to="/account/codes"
          values={{ url: qr.destination, name: qr.name ?? '' }}
          class="button"
        >
          Create a QR code for the same destination
        </PostButton>
      )}
    </section>
  );
}

/** The minimum printed width of a code for each scanning distance. */
export function PrintSizes({ print }: { print: readonly PrintAdvice[] }) {
  return (
    <section class="card pad stack tight">
      <h2>Minimum print width</h2>
      <dl class="facts">
        {print.map(({ distanceMm, widthMm }) => (
          <Fact key={distanceMm} name={`from ${formatLength(distanceMm)}`}>
            {formatLength(widthMm)}
          </Fact>
        ))}
      </dl>
      <p class="hint">By scanning distance. Includes the quiet zone around the code.</p>
    </section>
  );
}
