/** @jsxImportSource preact */
import { type PrintAdvice, printedWidthMm } from '../../core/codes/print/size.ts';
import type { Qr } from '../../core/codes/qr.ts';
import { offeredPngWidthsPx } from '../../core/codes/qrs.ts';
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
  const texts = useTexts();
  const { picture: t } = texts;
  const soft = (text: string) => <span class="soft">{text}</span>;
  const [near] = print;
  const poster = print.find(({ distanceMm }) => distanceMm === 1000);
  return (
    <section class="card pad stack tight image" aria-label={t.picture}>
      <div class="plate">
        <Image
          path={picturePath(qr.code, { size: 'large' })}
          alt={t.alt({ name: titleOf(qr) })}
          widthPx={286}
        />
      </div>
      <Link
        class="button large wide"
        to={`${image}.png?size=${mainWidthPx}`}
        download
        icon="download"
      >
        {t.downloadPng}
        <span class="soft">{t.pixels({ px: mainWidthPx })}</span>
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
          {t.copy}
        </button>
        <button type="button" class="button" popovertarget="sizes">
          {t.otherSizes}
        </button>
        <div class="menu" id="sizes" popover="auto">
          {offeredPngWidthsPx.map((widthPx) => (
            <Link key={widthPx} to={`${image}.png?size=${widthPx}`} download>
              {t.pngSize({
                px: widthPx,
                width: formatLength(printedWidthMm(widthPx), texts),
                soft,
              })}
            </Link>
          ))}
          <Link to={`${codePath(qr.code)}/pdf`} data-dialog>
            {t.pdfSize({ soft })}
          </Link>
        </div>
      </div>
      {print.length > 0 && (
        <div class="small soft">
          {near && poster && (
            <p>
              {t.printAtLeast({
                hand: formatLength(near.widthMm, texts),
                poster: formatLength(poster.widthMm, texts),
                b: (text) => <b>{text}</b>,
              })}
            </p>
          )}
          <details>
            <summary>{t.allDistances}</summary>
            <Facts
              of={Object.fromEntries(
                print.map(({ distanceMm, widthMm }) => [
                  t.fromDistance({ distance: formatLength(distanceMm, texts) }),
                  formatLength(widthMm, texts),
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
  const t = useTexts().picture;
  const hasActivePlan = useHasActivePlan();
  return (
    <section class="card pad stack tight image">
      <h2>{t.none}</h2>
      <p>{t.noneWhy}</p>
      {hasActivePlan && (
        <PostButton
          to="/account/codes"
          values={{ url: qr.destination, name: qr.name ?? '' }}
          class="button"
        >
          {t.createCode}
        </PostButton>
      )}
    </section>
  );
}
