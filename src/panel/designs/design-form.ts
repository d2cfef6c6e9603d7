import {
  type Design,
  type DesignChanges,
  designBounds,
  finderShapes,
  type Logo,
  logoPatches,
  moduleShapes,
  parseColor,
  toExternalNames,
} from '../../core/designs/design.ts';
import { InvalidLogo } from '../../core/errors.ts';
import type { Form } from '../routing/forms.ts';

type ColorName = 'foreground' | 'background' | 'finder_color';

/** What was wrong with which field. */
export type DesignProblems = Partial<Record<ColorName | 'logo', string>>;

/** What was typed for a colour that is none. */
export type RefusedColors = Partial<Record<ColorName, string>>;

type NormalizeLogo = (bytes: Uint8Array) => Promise<Logo>;

/**
 * A design as the form describes it. What was filled in wrongly stays as it was before, and is told
 * by the name of its field, a colour as it was typed.
 *
 * @param before the design that the form was opened on
 */
export async function readDesign(form: Form, before: Design, normalizeLogo: NormalizeLogo) {
  const problems: DesignProblems = {};
  const typed: RefusedColors = {};
  const color = (name: ColorName, present: string): string => {
    const text = form.text(name).trim();
    const parsed = parseColor(text.startsWith('#') ? text : `#${text}`);
    if (parsed !== null) return parsed;
    problems[name] = 'Write the colour as #1a2b3c.';
    typed[name] = text;
    return present;
  };
  const { logo, draftLogo, problem } = await readLogo(form, before.logo, normalizeLogo);
  if (problem !== null) problems.logo = problem;
  const { foreground } = before;
  const design: Design = {
    foreground: color('foreground', foreground),
    background: color('background', before.background),
    finderColor:
      form.text('finder_color').trim() === ''
        ? null
        : color('finder_color', before.finderColor ?? foreground),
    moduleShape: oneOf(moduleShapes, form.text('module_shape'), before.moduleShape),
    finderShape: oneOf(finderShapes, form.text('finder_shape'), before.finderShape),
    logo,
    logoSizePercent: within(
      designBounds.logoSizePercent,
      form.text('logo_size'),
      before.logoSizePercent,
    ),
    logoPatch: oneOf(logoPatches, form.text('logo_patch'), before.logoPatch),
    quietZoneModules: within(
      designBounds.quietZoneModules,
      form.text('quiet_zone'),
      before.quietZoneModules,
    ),
  };
  return { design, draftLogo, problems, typed };
}

/** Changes to a design as values of the form's fields. */
export function fieldsOf(changes: DesignChanges): Record<string, string> {
  return Object.fromEntries(
    Object.entries(toExternalNames(changes)).map(([name, value]) => [name, String(value ?? '')]),
  );
}

/** A logo that waits to be saved, and what was wrong with a file that was chosen in its place. */
interface WaitingLogo {
  readonly waiting: Logo | null;
  readonly problem: string | null;
}

/**
 * The logo of a form: one that waits to be saved, none, or the one that is kept. One that waits goes on
 * doing so beside a box that asks for none, which may be unticked again.
 */
async function readLogo(form: Form, kept: Logo | null, normalizeLogo: NormalizeLogo) {
  const chosen = await form.file('logo');
  const { waiting, problem } = await readWaiting(form, chosen, normalizeLogo);
  // A file that was chosen says more than a box that was ticked before.
  const without = chosen === null && form.text('no_logo') === 'yes';
  return { logo: without ? null : (waiting ?? kept), draftLogo: waiting, problem };
}

/** Whatever travels in a form is treated as an upload. A file that is refused takes nothing's place. */
async function readWaiting(
  form: Form,
  chosen: Uint8Array | null,
  normalizeLogo: NormalizeLogo,
): Promise<WaitingLogo> {
  const travelling = form.text('draft_logo');
  const bytes = chosen ?? (travelling === '' ? null : Buffer.from(travelling, 'base64'));
  if (bytes === null) return { waiting: null, problem: null };
  try {
    return { waiting: await normalizeLogo(bytes), problem: null };
  } catch (error) {
    if (!(error instanceof InvalidLogo)) throw error;
    if (chosen === null) return { waiting: null, problem: error.message };
    const { waiting } = await readWaiting(form, null, normalizeLogo);
    return { waiting, problem: error.message };
  }
}

function oneOf<T extends string>(values: readonly T[], text: string, present: T): T {
  return values.find((value) => value === text) ?? present;
}

function within(bounds: { min: number; max: number }, text: string, present: number): number {
  if (!/^\d{1,3}$/.test(text)) return present;
  return Math.min(Math.max(Number(text), bounds.min), bounds.max);
}
