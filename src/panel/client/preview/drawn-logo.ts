import { formatNumber } from '../../../lib/numbers.ts';
import { announce, create, createButton } from '../dom.ts';

/** Longer sides of the drawing, tried until the PNG is as small as a logo must be. */
const sidesPx = [1024, 512] as const;
const maxBytes = 1_000_000;

/**
 * Draws a file that the server refused as a logo, and offers the drawing below the field.
 * It is drawn as this browser shows it. An image runs no scripts and loads nothing. Does nothing when the browser
 * cannot draw it either.
 */
export async function offerDrawing(input: HTMLInputElement, file: File): Promise<void> {
  removeOffer();
  const drawing = await draw(file).catch(() => null);
  if (!drawing) return;
  const { png, widthPx, heightPx } = drawing;
  const box = create('div', { className: 'drawn', id: 'drawn-logo' });
  const use = createButton('Use this picture', () => {
    removeOffer();
    const files = new DataTransfer();
    files.items.add(new File([png], `${file.name}.png`, { type: png.type }));
    input.files = files.files;
    input.dispatchEvent(new Event('input', { bubbles: true }));
    input.focus();
  });
  const dismiss = createButton('Not now', () => {
    removeOffer();
    input.focus();
  });
  dismiss.classList.add('plain');
  const size = `${formatNumber(widthPx)} × ${formatNumber(heightPx)} px`;
  const title = `Waymark can’t draw ${file.name}`;
  const text = `Your browser drew it like this, ${size}. As a picture it works.`;
  const buttons = create('div', { className: 'row' });
  buttons.append(use, dismiss);
  const words = create('div', { className: 'stack tight' });
  words.append(
    create('b', { textContent: title }),
    create('p', { className: 'small', textContent: text }),
    buttons,
  );
  const alt = `${file.name} as your browser draws it`;
  box.append(create('img', { src: await dataUrlOf(png), alt }), words);
  input.closest('.field')?.after(box);
  announce(`${title}. ${text}`);
}

/** Takes the offer away. */
export function removeOffer(): void {
  document.getElementById('drawn-logo')?.remove();
}

interface Drawing {
  readonly png: Blob;
  readonly widthPx: number;
  readonly heightPx: number;
}

async function draw(file: File): Promise<Drawing | null> {
  const isSvg = file.type === 'image/svg+xml';
  const image = new Image();
  image.src = await dataUrlOf(file);
  await image.decode();
  const longerPx = Math.max(image.naturalWidth, image.naturalHeight);
  for (const sidePx of sidesPx) {
    const scale = isSvg ? sidePx / longerPx : Math.min(1, sidePx / longerPx);
    const canvas = create('canvas', {
      width: Math.max(1, Math.round(image.naturalWidth * scale)),
      height: Math.max(1, Math.round(image.naturalHeight * scale)),
    });
    const context = canvas.getContext('2d');
    if (!context) return null;
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    if (data.every((value, at) => at % 4 !== 3 || value === 0)) return null;
    const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    if (png && png.size <= maxBytes) return { png, widthPx: canvas.width, heightPx: canvas.height };
  }
  return null;
}

/** Reads a file as a data URL: the page may show these, and no others of its own. */
function dataUrlOf(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
