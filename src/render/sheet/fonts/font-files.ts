import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';

/** A font, in a collection the first one: they have the same characters, and HarfBuzz chooses variants by language. */
export interface FontFile {
  readonly path: string;
  /** Returns whether the font has a glyph for a character. */
  covers(codePoint: number): boolean;
}

/** Where Linux (fontconfig), macOS and Windows keep fonts. */
function systemFolders(): string[] {
  const home = homedir();
  return [
    '/usr/share/fonts',
    '/usr/local/share/fonts',
    join(home, '.local/share/fonts'),
    join(home, '.fonts'),
    '/System/Library/Fonts',
    '/Library/Fonts',
    join(home, 'Library/Fonts'),
    join(Bun.env['WINDIR'] ?? 'C:\\Windows', 'Fonts'),
  ];
}

/**
 * Lists fonts, those first that suit captions: upright sans of normal weight. Files are opened as they are needed.
 *
 * @param paths files and folders; none means those of the system
 */
export function* findFonts(paths: readonly string[]): Generator<FontFile> {
  const files = (paths.length > 0 ? paths : systemFolders()).flatMap(filesIn);
  const ranked = files
    .map((path) => ({ path, rank: rankOf(basename(path)) }))
    .sort((one, other) => one.rank - other.rank || (one.path < other.path ? -1 : 1));
  for (const { path } of ranked) {
    const font = readFontFile(path);
    if (font !== null) yield font;
  }
}

function filesIn(path: string): string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
    const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
    return names
      .filter((name) => /\.(ttf|otf|ttc|otc)$/i.test(name))
      .map((name) => join(path, name));
  } catch {
    // Most systems have a few of the folders.
    return [];
  }
}

/** Returns a lower number for a better font, by the usual words in names of files. */
function rankOf(name: string): number {
  const unwanted =
    /bold|italic|oblique|light|thin|black|heavy|medium|condensed|mono|serif|display|nastaliq|kufi|rashi|looped|unifont|symbol|emoji|math|ui-/gi;
  return (
    (name.match(unwanted)?.length ?? 0) * 3 +
    (/sans/i.test(name) ? 0 : 2) +
    (/regular/i.test(name) ? 0 : 1)
  );
}

// More than the character map of any font: a damaged file names a size of gigabytes.
const maxTableBytes = 4_000_000;

/** Reads the character map of a font; null if it has no outlines or cannot be read. */
function readFontFile(path: string): FontFile | null {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const read = (at: number, length: number) => {
      const bytes = new Uint8Array(Math.min(length, maxTableBytes));
      readSync(file ?? 0, bytes, 0, bytes.length, at);
      return new DataView(bytes.buffer);
    };
    const isCollection = read(0, 4).getUint32(0) === 0x74746366; // ttcf
    const ranges = readRanges(read, isCollection ? read(12, 4).getUint32(0) : 0);
    return ranges && { path, covers: (code) => isIn(ranges, code) };
  } catch {
    return null;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

type Range = readonly [first: number, last: number];

/** Reads the characters of a font with outlines: formats 4 and 12 of `cmap` (OpenType specification). */
function readRanges(read: (at: number, length: number) => DataView, start: number): Range[] | null {
  const tables = read(start + 4, 2).getUint16(0);
  const directory = read(start + 12, 16 * tables);
  let [cmap, hasOutlines]: [DataView | null, boolean] = [null, false];
  for (let at = 0; at < 16 * tables; at += 16) {
    const tag = directory.getUint32(at);
    // glyf, CFF and CFF2; others have pictures.
    if (tag === 0x676c7966 || tag === 0x43464620 || tag === 0x43464632) hasOutlines = true;
    if (tag === 0x636d6170) cmap = read(directory.getUint32(at + 8), directory.getUint32(at + 12));
  }
  if (cmap === null || !hasOutlines) return null;
  const ranges: Range[] = [];
  for (let index = 0; index < cmap.getUint16(2); index++) {
    const at = cmap.getUint32(4 + 8 * index + 4);
    const format = cmap.getUint16(at);
    if (format === 12)
      for (let group = 0; group < cmap.getUint32(at + 12); group++) {
        const from = at + 16 + 12 * group;
        ranges.push([cmap.getUint32(from), cmap.getUint32(from + 4)]);
      }
    if (format !== 4) continue;
    const segments = cmap.getUint16(at + 6) / 2;
    for (let segment = 0; segment < segments; segment++) {
      const last = cmap.getUint16(at + 14 + 2 * segment);
      const first = cmap.getUint16(at + 16 + 2 * (segments + segment));
      if (first !== 0xffff) ranges.push([first, last]);
    }
  }
  return ranges.sort(([one], [other]) => one - other);
}

function isIn(ranges: readonly Range[], code: number): boolean {
  for (const [first, last] of ranges) {
    if (first > code) return false;
    if (code <= last) return true;
  }
  return false;
}
