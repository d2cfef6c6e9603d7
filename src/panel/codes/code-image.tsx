/** @jsxImportSource preact */
import { type PrintAdvice, printedWidthMm } from '../../core/codes/print/size.ts';
import type { Qr } from '../../core/codes/qr.ts';
import { offeredPngWidthsPx } from '../../core/codes/qrs.ts';
import { formatNumber } from '../../lib/numbers.ts';
import { Facts, Image } from '../ui/components.tsx';
import { formatLength } from '../ui/formatting.ts';
import {
  ButtonLink,
  Link,
  PostButton,
  useHasActivePlan,
  useRequest,
  useTexts,
} from '../ui/page-context.tsx';
import { codePath, picturePath, titleOf } from './code-label.tsx';

const mainWidthPx = 1024;

/** Renders the picture of a code, with its downloads and the smallest widths in print. */
export function CodeImage({ qr, print }: { qr: Qr; print: readonly PrintAdvice[] }) {
  const image = `${codePath(qr.code)}/image`;
  const { basePath } = useRequest();
  const [near] = print;
  const t = useTexts();
  const poster = print.find(({ distanceMm }) => distanceMm === 1000);
  return (
    <section class="card pad stack tight image" aria-label="Picture">
      <div class="plate">
        <Image
          path={picturePath(qr.code, { size: 'large' })}
          alt={`QR code of ${titleOf(qr)}`}
          widthPx={286}
        />
      </div>
      <Link
        class="button large wide"
        to={`${image}.png?size=${mainWidthPx}`}
        download
        icon="download"
      >
        Download PNG
        <span class="soft">{formatNumber(mainWidthPx)} px</span>
      </Link>
      <div class="share">
        <ButtonLink to={`${image}.svg`} download>
          SVG
        </ButtonLink>
        <button
          type="button"
          class="button script-only"
          data-copy-image={`${basePath}${image}.png?size=${mainWidthPx}`}
        >
          Copy picture
        </button>
        <button type="button" class="button" popovertarget="sizes">
          Other sizes
        </button>
        <div class="menu" id="sizes" popover="auto">
          {offeredPngWidthsPx.map((widthPx) => (
            <Link key={widthPx} to={`${image}.png?size=${widthPx}`} download>
              PNG {formatNumber(widthPx)} px{' '}
              <span class="soft">up to {formatLength(printedWidthMm(widthPx), t)} wide</span>
            </Link>
          ))}
          <Link to={`${codePath(qr.code)}/pdf`} data-dialog>
            PDF <span class="soft">in any size, for print shops</span>
          </Link>
        </div>
      </div>
      {print.length > 0 && (
        <div class="small soft">
          {near && poster && (
            <p>
              Print at least <b>{formatLength(near.widthMm, t)}</b> wide to scan from the hand,{' '}
              <b>{formatLength(poster.widthMm, t)}</b> for a poster at 1 m, margin included.
            </p>
          )}
          <details>
            <summary>All distances</summary>
            <Facts
              of={Object.fromEntries(
                print.map(({ distanceMm, widthMm }) => [
                  `from ${formatLength(distanceMm, t)}`,
                  formatLength(widthMm, t),
                ]),
              )}
            />
          </details>
        </div>
      )}
    </section>
  );
}

/** Renders what there is instead of an image for an imported link. */
export function NoImage({ qr }: { qr: Qr }) {
  const hasActivePlan = useHasActivePlan();
  return (
    <section class="card pad stack tight image">
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
