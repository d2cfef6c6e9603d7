import { InvalidLogo } from '../../core/ports.ts';
import { latin1 } from './picture.ts';

export type LogoFormat = 'png' | 'jpeg' | 'webp' | 'svg';

/** First bytes of files that people take for logos, with the name they know them by. */
const foreign: readonly (readonly [RegExp | string, string])[] = [
  ['GIF8', 'a GIF'],
  ['BM', 'a BMP picture'],
  ['II*\0', 'a TIFF picture'],
  ['MM\0*', 'a TIFF picture'],
  ['%PDF', 'a PDF'],
  ['%!PS', 'PostScript'],
  ['8BPS', 'a Photoshop file'],
  [/^....ftypavi[fs]/s, 'an AVIF picture'],
  [/^....ftyp(heic|heix|mif1|msf1|hevc)/s, 'a HEIC picture'],
  ['\0\0\x01\0', 'an icon file (ICO)'],
  ['\x1f\x8b', 'a compressed file (perhaps SVGZ)'],
  ['PK\x03\x04', 'a ZIP archive'],
];

/**
 * Tells the format of a file by its content; names and types that came with it say nothing.
 *
 * @throws InvalidLogo when it is none of the four
 */
export function identify(bytes: Uint8Array): LogoFormat {
  if (bytes.length === 0) throw new InvalidLogo(`The file is empty. ${advice}`);
  const start = latin1(bytes, 0, 512);
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (/^RIFF....WEBP/s.test(start)) return 'webp';
  if (/^(\xef\xbb\xbf)?\s*<!doctype html|^\s*<html/i.test(start)) {
    throw new InvalidLogo(`The file is a web page, not a picture. ${advice}`);
  }
  if (/^(\xef\xbb\xbf)?\s*</.test(start)) return 'svg';
  const known = foreign.find(([first]) =>
    typeof first === 'string' ? start.startsWith(first) : first.test(start),
  );
  throw new InvalidLogo(`The file is ${known?.[1] ?? 'not a picture that can be read'}. ${advice}`);
}

const advice = 'Upload the logo as PNG, JPEG, WebP or SVG.';
