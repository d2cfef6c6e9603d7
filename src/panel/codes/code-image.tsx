/** @jsxImportSource preact */
import { type PrintAdvice, printedWidthMm } from '../../core/codes/print-size.ts';
import type { Qr } from '../../core/codes/qr.ts';
import { lengthText, numberText } from '../ui/formatting.ts';
import { Image } from '../ui/image.tsx';
import { Link } from '../ui/parts.tsx';

const pngWidthsPx = [512, 1024, 2048, 4096] as const;
const printDpi = 300;

/** The image of a code, to look at and to download. */
export function Picture({ qr }: { qr: Qr }) {
  const image = `/account/codes/${qr.code}/image`;
  return (
    <section class="card picture">
      <h2 class="hidden">Image</h2>
      <div class="paper">
        <Image path={`${image}.svg`} alt={`QR code of ${qr.shortLink}`} widthPx={320} />
      </div>
      <h3>Download</h3>
      <ul class="downloads">
        <li>
          <Link to={`${image}.svg?download=1`} download>
            SVG
          </Link>
          <span>any size, for print</span>
        </li>
        {pngWidthsPx.map((widthPx) => (
          <li key={widthPx}>
            <Link to={`${image}.png?size=${widthPx}&download=1`} download>
              PNG {numberText(widthPx)} px
            </Link>
            <span>up to {lengthText(printedWidthMm(widthPx, printDpi))} in print</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** How wide to print a code at least. */
export function PrintSizes({ print }: { print: readonly PrintAdvice[] }) {
  return (
    <section class="card print-sizes">
      <h2>Smallest width in print</h2>
      <table class="plain">
        <thead class="hidden">
          <tr>
            <th scope="col">Scanned from</th>
            <th scope="col">Width with its margin</th>
          </tr>
        </thead>
        <tbody>
          {print.map(({ distanceMm, widthMm }) => (
            <tr key={distanceMm}>
              <td>from {lengthText(distanceMm)} away</td>
              <td>{lengthText(widthMm)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="hint">With the light margin around it, which belongs to the code.</p>
    </section>
  );
}
