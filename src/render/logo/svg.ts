import { SaxesParser, type SaxesTagNS } from 'saxes';
import { InvalidLogo } from '../../core/errors.ts';
import type { Pixels } from '../png/rgba.ts';
import { drawWithResvg } from '../resvg.ts';

/** Illustrations have some hundred elements. */
const maxElements = 5_000;

/** The document type that drawing programs write: it declares nothing and is never fetched. */
const standardDoctype = /^\s*svg(\s+PUBLIC\s+"-\/\/W3C\/\/DTD SVG [^"[\]]*"\s+"[^"[\]]*")?\s*$/;

const rejectedElements: Readonly<Record<string, string>> = {
  script: 'a script. Remove it',
  filter: 'a filter effect, which takes long to draw. Flatten it, or export it as PNG',
  foreignObject: 'HTML (<foreignObject>). Export it as plain SVG, or as PNG',
  text: 'text, and the server has no fonts. Convert text to paths (outlines) and export it again',
};

/** Reference to an element of the same file, or to a picture that is part of the file. */
const localReference = /^\s*(?:#|data:image\/(?:png|jpeg|gif|webp)[;,])/i;

/**
 * Draws an SVG at a longer side of `sidePx`. The WebAssembly build of resvg has no file system, no network
 * and no fonts, so that files which need one are rejected with the reason. Time and memory are bounded in
 * process.ts.
 *
 * @throws InvalidLogo
 */
export async function drawSvg(bytes: Uint8Array, sidePx: number): Promise<Pixels> {
  const svg = decodeUtf8(bytes);
  checkContent(svg);
  try {
    return await drawWithResvg(svg, sidePx);
  } catch (error) {
    if (error instanceof InvalidLogo) throw error;
    throw new InvalidLogo(
      "This SVG can't be drawn. Check that it has a width, a height and the SVG namespace, or export it as PNG.",
    );
  }
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new InvalidLogo('This SVG is not UTF-8 text. Export it again.');
  }
}

/**
 * Checks that an SVG is well-formed and holds nothing that a still picture from one file doesn't need.
 *
 * @throws InvalidLogo
 */
function checkContent(svg: string): void {
  let elements = 0;
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', ({ message }) => {
    throw new InvalidLogo(
      `This SVG is not well-formed XML (${message.slice(0, 120)}). Export it again from your drawing program.`,
    );
  });
  parser.on('doctype', (doctype) => {
    if (!standardDoctype.test(doctype)) throw rejected('a document type (DOCTYPE). Remove it');
  });
  parser.on('processinginstruction', ({ target }) => {
    if (target === 'xml-stylesheet') throw rejected('a link to a style sheet. Embed the styles');
  });
  parser.on('text', checkReferences);
  parser.on('cdata', checkReferences);
  parser.on('opentag', (tag) => {
    elements++;
    if (elements === 1 && tag.local !== 'svg') {
      throw new InvalidLogo('This file is XML, but not an SVG picture.');
    }
    if (elements > maxElements) {
      throw new InvalidLogo(
        `This SVG has more than ${maxElements} elements. Simplify it, or export it as PNG.`,
      );
    }
    checkElement(tag);
  });
  parser.write(svg).close();
}

function checkElement({ local, attributes }: SaxesTagNS): void {
  const reason = Object.hasOwn(rejectedElements, local) ? rejectedElements[local] : undefined;
  if (reason !== undefined) throw rejected(reason);
  for (const { local: name, value } of Object.values(attributes)) {
    if (/^on/i.test(name))
      throw rejected(`a script (the attribute “${name.slice(0, 40)}”). Remove it`);
    if (name === 'href' && !localReference.test(value)) throw external();
    checkReferences(value);
  }
}

/** Rejects CSS that refers to other files. Applied to all text, since any of it may be a style sheet. */
function checkReferences(css: string): void {
  if (/@import/i.test(css)) throw external();
  for (const [, target = ''] of css.matchAll(/url\(\s*['"]?([^)]{0,40})/gi)) {
    if (!localReference.test(target)) throw external();
  }
}

function external(): InvalidLogo {
  return rejected('a reference to something outside the file. Embed it, or export the logo as PNG');
}

function rejected(what: string): InvalidLogo {
  return new InvalidLogo(`This SVG contains ${what}.`);
}
