import { inflateSync } from 'node:zlib';

/** A TrueType font (OpenType specification, with `glyf` outlines). */
export interface Font {
  readonly name: string;
  readonly file: Uint8Array;
  /** Metrics in thousandths of the font size. Depths below the baseline are negative. */
  readonly ascent: number;
  readonly descent: number;
  readonly bounds: readonly number[];
  /** Returns the glyph of a character; 0 when the font has none. */
  glyphOf(codePoint: number): number;
  /** Returns the advance width of a glyph in thousandths of the font size. */
  widthOf(glyph: number): number;
  /**
   * Returns a font file with the outlines of some glyphs only. Glyph numbers stay.
   *
   * @param moreTables kept besides those that PDF needs
   */
  subset(glyphs: Iterable<number>, moreTables?: readonly string[]): Uint8Array;
}

/** Reads bytes of a font file. */
export type ReadFile = (at: number, length: number) => DataView;

interface Table {
  readonly offset: number;
  readonly length: number;
}

/** Returns the TrueType file in a WOFF file, version 1 (W3C WOFF 1.0, clause 4). */
export function unpackWoff(woff: Uint8Array): Uint8Array {
  const view = new DataView(woff.buffer, woff.byteOffset, woff.byteLength);
  return fontFile(
    Array.from({ length: view.getUint16(12) }, (_, index) => {
      const at = 44 + 20 * index;
      const tag = String.fromCharCode(...woff.subarray(at, at + 4));
      const [offset, packed, length] = [4, 8, 12].map((field) => view.getUint32(at + field));
      const data = woff.subarray(offset, (offset ?? 0) + (packed ?? 0));
      return [tag, packed === length ? data : inflateSync(data)];
    }),
  );
}

/** Reads a TrueType font. @throws Error when the bytes are no such font */
export function readFont(name: string, file: Uint8Array): Font {
  // A copy, because `slice` of a Buffer would share its memory, and subsets change what they slice.
  const bytes = new Uint8Array(file);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tables = readTables((at, length) => new DataView(bytes.buffer, at, length), 0);
  const table = (tag: string): Table => {
    const found = tables.get(tag);
    if (found === undefined) throw new Error(`The font has no table ${tag}`);
    return found;
  };
  const head = table('head');
  const hhea = table('hhea');
  const hmtx = table('hmtx');
  const unitsPerEm = view.getUint16(head.offset + 18);
  const perMille = (value: number) => Math.round((value * 1000) / unitsPerEm);
  const glyphs = view.getUint16(table('maxp').offset + 4);
  const metrics = view.getUint16(hhea.offset + 34);
  const characters = readCharacters(new DataView(bytes.buffer, table('cmap').offset));
  return {
    name,
    file: bytes,
    ascent: perMille(view.getInt16(hhea.offset + 4)),
    descent: perMille(view.getInt16(hhea.offset + 6)),
    bounds: [36, 38, 40, 42].map((at) => perMille(view.getInt16(head.offset + at))),
    glyphOf: (codePoint) => characters.get(codePoint) ?? 0,
    // The last width holds for all further glyphs.
    widthOf: (glyph) => perMille(view.getUint16(hmtx.offset + 4 * Math.min(glyph, metrics - 1))),
    subset: (chosen, moreTables = []) =>
      subsetOf(bytes, view, table, glyphs, chosen, [...keptTables, ...moreTables].sort()),
  };
}

/** Reads where the tables of a font are. @param start of the font in its file */
export function readTables(read: ReadFile, start: number): Map<string, Table> {
  const tables = new Map<string, Table>();
  const count = read(start + 4, 2).getUint16(0);
  const directory = read(start + 12, 16 * count);
  for (let at = 0; at < 16 * count; at += 16) {
    const tag = String.fromCharCode(...[0, 1, 2, 3].map((byte) => directory.getUint8(at + byte)));
    tables.set(tag, { offset: directory.getUint32(at + 8), length: directory.getUint32(at + 12) });
  }
  return tables;
}

/** Characters in order, with the glyph of the first. Their glyphs follow each other. */
export interface CharacterRange {
  readonly first: number;
  readonly last: number;
  /** Null where it takes more than the range to find it. */
  readonly glyph: number | null;
}

/** Reads the characters of a font: formats 4 and 12 of `cmap`. */
export function* readRanges(cmap: DataView): Generator<CharacterRange> {
  for (let index = 0; index < cmap.getUint16(2); index++) {
    const at = cmap.getUint32(4 + 8 * index + 4);
    const format = cmap.getUint16(at);
    const groups = format === 12 ? cmap.getUint32(at + 12) : 0;
    for (let from = at + 16; from < at + 16 + 12 * groups; from += 12) {
      const first = cmap.getUint32(from);
      const last = cmap.getUint32(from + 4);
      yield { first, last, glyph: cmap.getUint32(from + 8) };
    }
    const segments = format === 4 ? cmap.getUint16(at + 6) / 2 : 0;
    for (let from = at + 14; from < at + 14 + 2 * segments; from += 2) {
      const first = cmap.getUint16(from + 2 + 2 * segments);
      if (first !== 0xffff) yield { first, last: cmap.getUint16(from), glyph: null };
    }
  }
}

/** Reads the glyphs of characters below U+10000: format 4 of `cmap`. */
function readSegments(cmap: DataView, characters: Map<number, number>): void {
  for (let index = 0; index < cmap.getUint16(2); index++) {
    const at = cmap.getUint32(4 + 8 * index + 4);
    if (cmap.getUint16(at) !== 4) continue;
    const bytes = cmap.getUint16(at + 6);
    for (let segment = at + 14; segment < at + 14 + bytes; segment += 2) {
      const last = cmap.getUint16(segment);
      const first = cmap.getUint16(segment + bytes + 2);
      const delta = cmap.getUint16(segment + 2 * bytes + 2);
      const rangeAt = segment + 3 * bytes + 2;
      const range = cmap.getUint16(rangeAt);
      for (let code = first; code <= last && code < 0xffff; code++) {
        const listed = range === 0 ? code : cmap.getUint16(rangeAt + range + 2 * (code - first));
        const glyph = range !== 0 && listed === 0 ? 0 : (listed + delta) & 0xffff;
        if (glyph !== 0) characters.set(code, glyph);
      }
    }
  }
}

/** Reads the glyphs of all characters. */
function readCharacters(cmap: DataView): Map<number, number> {
  const characters = new Map<number, number>();
  for (const { first, last, glyph } of readRanges(cmap))
    for (let code = first; glyph !== null && code <= last; code++)
      characters.set(code, glyph + code - first);
  if (characters.size === 0) readSegments(cmap, characters);
  if (characters.size === 0) throw new Error('The font has no subtable of all of Unicode');
  return characters;
}

// What PDF needs of an embedded TrueType font (ISO 32000-1, 9.9) without hints, which are for screens.
const keptTables = ['glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp'];

function subsetOf(
  bytes: Uint8Array,
  view: DataView,
  table: (tag: string) => Table,
  glyphs: number,
  chosen: Iterable<number>,
  tags: readonly string[],
): Uint8Array {
  const isLong = view.getInt16(table('head').offset + 50) === 1;
  const loca = table('loca').offset;
  const glyf = table('glyf').offset;
  const startOf = (glyph: number) =>
    isLong ? view.getUint32(loca + 4 * glyph) : 2 * view.getUint16(loca + 2 * glyph);
  const kept = new Set<number>();
  const keep = (glyph: number) => {
    if (kept.has(glyph) || glyph >= glyphs) return;
    kept.add(glyph);
    const outline = glyf + startOf(glyph);
    const isComposite = startOf(glyph + 1) > startOf(glyph) && view.getInt16(outline) < 0;
    if (isComposite) for (const part of readParts(view, outline).glyphs) keep(part);
  };
  keep(0);
  for (const glyph of chosen) keep(glyph);

  const outlines: Uint8Array[] = [];
  const starts = new DataView(new ArrayBuffer(4 * (glyphs + 1)));
  let length = 0;
  for (let glyph = 0; glyph < glyphs; glyph++) {
    starts.setUint32(4 * glyph, length);
    if (!kept.has(glyph)) continue;
    const outline = withoutHints(bytes.slice(glyf + startOf(glyph), glyf + startOf(glyph + 1)));
    const padding = new Uint8Array((4 - (outline.length % 4)) % 4);
    outlines.push(outline, padding);
    length += outline.length + padding.length;
  }
  starts.setUint32(4 * glyphs, length);

  return fontFile(
    tags.map((tag) => {
      if (tag === 'glyf') return [tag, Buffer.concat(outlines)];
      if (tag === 'loca') return [tag, new Uint8Array(starts.buffer)];
      const { offset, length } = table(tag);
      const copy = bytes.slice(offset, offset + length);
      // Offsets of outlines are long now.
      if (tag === 'head') new DataView(copy.buffer).setInt16(50, 1);
      return [tag, copy];
    }),
  );
}

/** Removes the hints of an outline: instructions for rasterizers. */
function withoutHints(outline: Uint8Array): Uint8Array {
  if (outline.length === 0) return outline;
  const view = new DataView(outline.buffer);
  const contours = view.getInt16(0);
  if (contours < 0) {
    const { lastFlagsAt, end } = readParts(view, 0);
    view.setUint16(lastFlagsAt, view.getUint16(lastFlagsAt) & ~hasHints);
    return outline.subarray(0, end);
  }
  const lengthAt = 10 + 2 * contours;
  const hints = view.getUint16(lengthAt);
  view.setUint16(lengthAt, 0);
  return Buffer.concat([outline.subarray(0, lengthAt + 2), outline.subarray(lengthAt + 2 + hints)]);
}

const hasHints = 0x0100;
const hasWords = 0x0001;
const hasScale = 0x0008;
const hasMore = 0x0020;
const hasTwoScales = 0x0040;
const hasMatrix = 0x0080;

/** Returns the glyphs that a composite glyph is made of, and where its description ends. */
function readParts(view: DataView, outline: number) {
  const glyphs: number[] = [];
  for (let at = outline + 10; ; ) {
    const flagsAt = at;
    const flags = view.getUint16(at);
    glyphs.push(view.getUint16(at + 2));
    at += 4 + (flags & hasWords ? 4 : 2);
    if (flags & hasScale) at += 2;
    else if (flags & hasTwoScales) at += 4;
    else if (flags & hasMatrix) at += 8;
    if (!(flags & hasMore)) return { glyphs, lastFlagsAt: flagsAt, end: at };
  }
}

/** Joins tables to a font file. Checksums stay zero: PDF readers ignore them. */
function fontFile(tables: (readonly [tag: string, data: Uint8Array])[]): Uint8Array {
  const header = new DataView(new ArrayBuffer(12 + 16 * tables.length));
  header.setUint32(0, 0x00010000);
  header.setUint16(4, tables.length);
  const power = Math.floor(Math.log2(tables.length));
  header.setUint16(6, 16 * 2 ** power);
  header.setUint16(8, power);
  header.setUint16(10, 16 * (tables.length - 2 ** power));
  const pieces: Uint8Array[] = [new Uint8Array(header.buffer)];
  let offset = header.byteLength;
  for (const [index, [tag, data]] of tables.entries()) {
    const at = 12 + 16 * index;
    for (let byte = 0; byte < 4; byte++) header.setUint8(at + byte, tag.charCodeAt(byte));
    header.setUint32(at + 8, offset);
    header.setUint32(at + 12, data.length);
    const padding = new Uint8Array((4 - (data.length % 4)) % 4);
    pieces.push(data, padding);
    offset += data.length + padding.length;
  }
  return Buffer.concat(pieces);
}
