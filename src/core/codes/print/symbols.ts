import { captionModulesOf } from '../../designs/caption.ts';
import { type Design, plainDesign } from '../../designs/design.ts';
import type { DesignStore } from '../../designs/ports.ts';
import { Refused } from '../../errors.ts';
import type { Remedy } from '../../reasons.ts';
import type { PrintableCode } from './selection.ts';
import type { SheetForm } from './sheet-layout.ts';
import { type PrintAdvice, type PrintedSymbol, readableFrom, smallestWidthMm } from './size.ts';

/** What the symbols of codes are found by. */
export interface SymbolDeps {
  readonly designs: Pick<DesignStore, 'find'>;
  /** Returns the side of a short link's symbol in modules, without quiet zone. */
  readonly symbolSide: (shortLink: string, isCompact: boolean) => number;
}

/** Returns a design as a sheet prints it. */
export function printedDesign(form: SheetForm, design: Design): Design {
  if (form === 'compact') return plainDesign;
  const { foreground, background } = plainDesign;
  return form === 'black'
    ? { ...design, foreground, background, finderColor: null, logo: null }
    : design;
}

/** Reads the designs of codes by id, as they are printed. Codes of one account share few. */
export async function printedDesigns(
  { designs }: Pick<SymbolDeps, 'designs'>,
  codes: readonly PrintableCode[],
  form: SheetForm,
): Promise<(code: PrintableCode) => Design> {
  const found = new Map<number, Design>();
  for (const { image } of codes)
    if (!found.has(image.designId))
      found.set(image.designId, printedDesign(form, await designs.find(image.designId)));
  return ({ image }) => {
    const design = found.get(image.designId);
    if (design === undefined) throw new Error('The design of a code was not read');
    return design;
  };
}

/**
 * Returns what is equal for codes with symbols of one size.
 * Links of one length and kind, and one design.
 */
export function symbolKind({ shortLink, code, image }: PrintableCode): string {
  return `${shortLink.slice(0, -code.length)} ${image.designId}`;
}

/** Returns the symbols of codes by their kind, with a code that has it. */
export function symbolsOf(
  { symbolSide }: Pick<SymbolDeps, 'symbolSide'>,
  codes: readonly PrintableCode[],
  designOf: (code: PrintableCode) => Design,
  isCompact: boolean,
): ReadonlyMap<string, { qr: PrintableCode; symbol: PrintedSymbol }> {
  const symbols = new Map<string, { qr: PrintableCode; symbol: PrintedSymbol }>();
  for (const qr of codes) {
    const kind = symbolKind(qr);
    if (symbols.has(kind)) continue;
    const modules = symbolSide(qr.shortLink, isCompact);
    const design = designOf(qr);
    const { quietZoneModules } = design;
    const captionModules = captionModulesOf(design);
    symbols.set(kind, { qr, symbol: { modules, quietZoneModules, captionModules, isCompact } });
  }
  return symbols;
}

/** Returns from how far phones read a symbol of a width. @throws Refused when it is too small */
export function requireReadable(
  symbol: PrintedSymbol,
  widthMm: number,
  { name, code }: Pick<PrintableCode, 'name' | 'code'>,
  remedies: readonly Remedy[],
): PrintAdvice {
  const advice = readableFrom(symbol, widthMm);
  if (advice !== null) return advice;
  throw new Refused({
    kind: 'code too small',
    title: name ?? code,
    widthMm,
    smallestMm: smallestWidthMm(symbol),
    remedies,
  });
}
