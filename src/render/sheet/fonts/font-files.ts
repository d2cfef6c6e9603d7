import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { type CharacterRange, type ReadFile, readRanges, readTables } from './truetype.ts';

/**
 * A font, in a collection the first one.
 * They have the same characters, and HarfBuzz chooses variants by language.
 */
export interface FontFile {
  readonly path: string;
  /** Returns whether the font has a glyph for a character. */
  covers(codePoint: number): boolean;
}

/** Returns where Linux (fontconfig), macOS and Windows keep fonts. */
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
 * Lists fonts, those first that suit captions: upright sans of normal weight.
 * Files are opened as they are needed.
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
    const read: ReadFile = (at, length) => {
      const bytes = new Uint8Array(Math.min(length, maxTableBytes));
      readSync(file ?? 0, bytes, 0, bytes.length, at);
      return new DataView(bytes.buffer);
    };
    const isCollection = read(0, 4).getUint32(0) === 0x74746366; // ttcf
    const tables = readTables(read, isCollection ? read(12, 4).getUint32(0) : 0);
    const cmap = tables.get('cmap');
    // Others have pictures.
    const hasOutlines = ['glyf', 'CFF ', 'CFF2'].some((tag) => tables.has(tag));
    if (cmap === undefined || !hasOutlines) return null;
    const ranges = [...readRanges(read(cmap.offset, cmap.length))];
    ranges.sort((one, other) => one.first - other.first);
    return { path, covers: (code) => isIn(ranges, code) };
  } catch {
    return null;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function isIn(ranges: readonly CharacterRange[], code: number): boolean {
  for (const { first, last } of ranges) {
    if (first > code) return false;
    if (code <= last) return true;
  }
  return false;
}
