import type { SheetCode, SheetPrinter } from '../../core/codes/ports.ts';
import {
  cutMarks,
  labelCorner,
  type SheetLayout,
  textColors,
} from '../../core/codes/print/sheet-layout.ts';
import type { Logo } from '../../core/designs/design.ts';
import { mapAhead } from '../../lib/event-loop.ts';
import { drawLines, fontName, type UsedGlyphs } from './caption.ts';
import { fallbackBytes } from './fonts/faces.ts';
import { createShaper, type Shaper } from './fonts/shape.ts';
import type { Font } from './fonts/truetype.ts';
import { layOutTexts } from './label.ts';
import { type LogoImages, logoName, type SheetPage } from './page.ts';
import { isPrintable } from './paragraph.ts';
import {
  compress,
  createPdfWriter,
  hex16,
  type PdfWriter,
  pdfDate,
  points,
  textObject,
  utf16Hex,
} from './pdf.ts';

/** The parts of a sheet that are drawn outside of the main thread. */
export interface SheetWorkers {
  /** Returns the compressed content stream of a page. */
  page(page: SheetPage): Promise<Uint8Array>;
  logo(logo: Logo): Promise<LogoImages>;
}

// Enough to keep two workers busy, and few enough to leave room in their queue.
const partsInFlight = 3;

// A worker draws them within a second, so that other work does not wait for long.
const maxCodesOfPart = 60;

// Loaded once in a process: HarfBuzz, and the fonts that it has needed so far.
const shapers = new Map<string, Promise<Shaper>>();

/**
 * Creates the printer of sheets. Memory is bounded: pages are written as they are drawn.
 *
 * @param fonts files and folders with fonts for captions; none means those of the system
 */
export async function createSheetPrinter(
  workers: SheetWorkers,
  fonts: readonly string[],
): Promise<SheetPrinter> {
  const load = () => createShaper(fallbackBytes, fonts);
  const shaper = await shapers.getOrInsertComputed(fonts.join('\n'), load);
  return {
    isPrintable: (text) => isPrintable(shaper, text),
    layOutTexts: (texts, captions) => layOutTexts(shaper, texts, captions),
    pdf: (layout, title, createdAtMs, codes) =>
      writeSheet({ ...workers, shaper }, layout, { title, createdAtMs }, codes),
  };
}

async function* writeSheet(
  { shaper, ...workers }: SheetWorkers & { shaper: Shaper },
  layout: SheetLayout,
  { title, createdAtMs }: { title: string; createdAtMs: number },
  codes: Iterable<SheetCode>,
): AsyncGenerator<Uint8Array> {
  const pdf = createPdfWriter();
  const catalog = pdf.reserve();
  const info = pdf.reserve();
  const tree = pdf.reserve();
  const resources = pdf.reserve();
  const pages: number[] = [];
  const logos = new Map<string, Logo>();
  const used: UsedGlyphs = { own: new Map(), outlines: new Map() };
  yield pdf.header();

  const parts = partsOf(shaper, layout, codes, used, logos);
  const drawn = mapAhead(parts, partsInFlight, async ({ part, endsPage }) => {
    return { content: await workers.page(part), endsPage };
  });
  let contents: number[] = [];
  for await (const { content, endsPage } of drawn) {
    const stream = pdf.reserve();
    contents.push(stream);
    yield pdf.stream(stream, '', content);
    if (!endsPage) continue;
    const page = pdf.reserve();
    pages.push(page);
    const box = `[0 0 ${points(layout.pageWidthMm)} ${points(layout.pageHeightMm)}]`;
    const streams = contents.map((number) => `${number} 0 R`).join(' ');
    contents = [];
    yield pdf.object(
      page,
      `<< /Type /Page /Parent ${tree} 0 R /MediaBox ${box} /TrimBox ${box} /Resources ${resources} 0 R /Contents [${streams}] >>`,
    );
  }

  const images: string[] = [];
  for (const [name, logo] of logos) {
    const image = pdf.reserve();
    images.push(`/${name} ${image} 0 R`);
    yield writeLogo(pdf, image, await workers.logo(logo));
  }
  for (const [name, outline] of used.outlines) {
    const form = pdf.reserve();
    images.push(`/${name} ${form} 0 R`);
    yield pdf.stream(form, glyphForm, compress(outline));
  }
  const named: string[] = [];
  for (const [font, glyphs] of used.own) {
    const object = pdf.reserve();
    named.push(`/${fontName(used, font)} ${object} 0 R`);
    yield writeFont(pdf, object, font, glyphs);
  }
  const fonts = named.length === 0 ? '' : `/Font << ${named.join(' ')} >>`;
  yield pdf.object(resources, `<< ${fonts} /XObject << ${images.join(' ')} >> >>`);
  const kids = pages.map((page) => `${page} 0 R`).join(' ');
  yield pdf.object(tree, `<< /Type /Pages /Count ${pages.length} /Kids [${kids}] >>`);
  // Without PrintScaling, programs shrink pages to the margins of the printer.
  yield pdf.object(
    catalog,
    `<< /Type /Catalog /Pages ${tree} 0 R /ViewerPreferences << /PrintScaling /None >> >>`,
  );
  yield pdf.object(
    info,
    `<< /Title ${textObject(title)} /Producer (Waymark) /CreationDate (${pdfDate(createdAtMs)}) >>`,
  );
  yield pdf.trailer(catalog, info);
}

// Wider than any glyph, in thousandths of the font size.
const glyphForm = '/Type /XObject /Subtype /Form /BBox [-5000 -5000 20000 5000]';

/** Distributes codes on pages, in parts. Records the glyphs of captions and the logos of designs. */
function* partsOf(
  shaper: Shaper,
  layout: SheetLayout,
  codes: Iterable<SheetCode>,
  used: UsedGlyphs,
  logos: Map<string, Logo>,
): Generator<{ part: SheetPage; endsPage: boolean }> {
  const { pageHeightMm } = layout;
  const perPage = layout.columns * layout.rows;
  const marks = drawCutMarks(layout);
  let part: SheetPage['codes'][number][] = [];
  let operators = marks;
  let placed = layout.skippedLabels;
  const finish = (endsPage: boolean) => {
    const page = { codes: part, layout, operators };
    part = [];
    operators = endsPage ? marks : '';
    if (endsPage) placed = 0;
    return { part: page, endsPage };
  };
  for (const { shortLink, design, captions } of codes) {
    const { leftMm, topMm } = labelCorner(layout, placed++);
    part.push({ shortLink, design, leftMm, topMm });
    if (design.logo !== null) logos.set(logoName(design.logo), design.logo);
    const { lines } = layOutTexts(shaper, layout, captions);
    operators += drawLines(
      lines,
      leftMm,
      pageHeightMm - topMm,
      textColors(layout, design.foreground),
      used,
    );
    if (placed === perPage) yield finish(true);
    else if (part.length === maxCodesOfPart) yield finish(false);
  }
  if (placed > 0) yield finish(true);
}

function drawCutMarks(layout: SheetLayout): string {
  const at = (xMm: number, yMm: number) => `${points(xMm)} ${points(layout.pageHeightMm - yMm)}`;
  const lines = cutMarks(layout).map(
    ({ fromXMm, fromYMm, toXMm, toYMm }) => `${at(fromXMm, fromYMm)} m ${at(toXMm, toYMm)} l S\n`,
  );
  return lines.length === 0 ? '' : `q 0.25 w 0 G\n${lines.join('')}Q\n`;
}

function writeLogo(pdf: PdfWriter, image: number, logo: LogoImages): Uint8Array {
  const mask = pdf.reserve();
  const size = `/Type /XObject /Subtype /Image /Width ${logo.widthPx} /Height ${logo.heightPx} /BitsPerComponent 8`;
  return Buffer.concat([
    pdf.stream(
      image,
      `${size} /ColorSpace /DeviceRGB /SMask ${mask} 0 R /Interpolate true`,
      logo.rgb,
    ),
    pdf.stream(mask, `${size} /ColorSpace /DeviceGray /Interpolate true`, logo.alpha),
  ]);
}

/** Embeds the part of a font that texts use (ISO 32000-1, 9.7). */
function writeFont(
  pdf: PdfWriter,
  font: number,
  { name, ascent, descent, bounds, widthOf, subset }: Font,
  used: ReadonlyMap<number, string>,
): Uint8Array {
  const descendant = pdf.reserve();
  const descriptor = pdf.reserve();
  const file = pdf.reserve();
  const unicode = pdf.reserve();
  const glyphs = [...used.keys()].sort((one, other) => one - other);
  // The name of a subset begins with six capitals.
  const base = `/BaseFont /WMCODE+${name}`;
  const widths = glyphs.map((glyph) => `${glyph} [${widthOf(glyph)}]`).join(' ');
  const data = subset(glyphs);
  return Buffer.concat([
    pdf.object(
      font,
      `<< /Type /Font /Subtype /Type0 ${base} /Encoding /Identity-H /DescendantFonts [${descendant} 0 R] /ToUnicode ${unicode} 0 R >>`,
    ),
    pdf.object(
      descendant,
      `<< /Type /Font /Subtype /CIDFontType2 ${base} /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor ${descriptor} 0 R /W [${widths}] /CIDToGIDMap /Identity >>`,
    ),
    pdf.object(
      descriptor,
      `<< /Type /FontDescriptor /FontName /WMCODE+${name} /Flags 4 /FontBBox [${bounds.join(' ')}] /ItalicAngle 0 /Ascent ${ascent} /Descent ${descent} /CapHeight ${ascent} /StemV 80 /FontFile2 ${file} 0 R >>`,
    ),
    pdf.stream(file, `/Length1 ${data.length}`, compress(data)),
    pdf.stream(unicode, '', compress(unicodeMap(used))),
  ]);
}

// The largest number of lines in one part of a map.
const mapPartSize = 100;

/** Writes the map from glyphs to characters, for search and copying. */
function unicodeMap(used: ReadonlyMap<number, string>): string {
  const lines = Array.from(used, ([glyph, character]) => {
    return `<${hex16(glyph)}> <${utf16Hex(character)}>`;
  });
  const parts: string[] = [];
  for (let at = 0; at < lines.length; at += mapPartSize) {
    const part = lines.slice(at, at + mapPartSize);
    parts.push(`${part.length} beginbfchar\n${part.join('\n')}\nendbfchar\n`);
  }
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <FFFF>
endcodespacerange
${parts.join('')}endcmap
CMapName currentdict /CMap defineresource pop
end
end
`;
}
