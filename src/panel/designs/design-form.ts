import {
  type Design,
  designBounds,
  finderShapes,
  type Logo,
  logoPatches,
  moduleShapes,
  parseColor,
} from '../../core/designs/design.ts';
import { InvalidLogo } from '../../core/errors.ts';
import type { FormFields } from '../routing/forms.ts';

const { logoSizePercent: sizeBounds, quietZoneModules: quietZoneBounds } = designBounds;

type ColorName = 'foreground' | 'background' | 'finder_color';

/** Why fields were rejected, by their names. */
export type DesignProblems = Partial<Record<ColorName | 'logo', string>>;

/** A design that is not saved. */
export interface DesignDraft {
  readonly design: Design;
  /** A logo that is not saved yet. The form carries it. */
  readonly draftLogo: Logo | null;
  readonly problems: DesignProblems;
}

type NormalizeLogo = (bytes: Uint8Array) => Promise<Logo>;

/** Reads a design from its form. Rejected fields keep the values of the saved design. */
export async function readDesign(
  form: FormFields,
  saved: Design,
  normalizeLogo: NormalizeLogo,
): Promise<DesignDraft> {
  const upload = await form.file('logo');
  const { draftLogo, problem } = await readDraftLogo(form, upload, normalizeLogo);
  const problems: DesignProblems = problem === null ? {} : { logo: problem };
  const color = (name: ColorName, savedColor: string): string => {
    const text = form.text(name).trim();
    const parsed = parseColor(text.startsWith('#') ? text : `#${text}`);
    if (parsed === null) problems[name] = 'Enter a colour such as #1a2b3c.';
    return parsed ?? savedColor;
  };
  const hasFinderColor = form.text('finder_color').trim() !== '';
  // An uploaded file overrides the check box.
  const isLogoRemoved = form.text('no_logo') === 'yes' && upload === null;
  const design: Design = {
    foreground: color('foreground', saved.foreground),
    background: color('background', saved.background),
    finderColor: hasFinderColor ? color('finder_color', saved.foreground) : null,
    moduleShape: oneOf(moduleShapes, form.text('module_shape'), saved.moduleShape),
    finderShape: oneOf(finderShapes, form.text('finder_shape'), saved.finderShape),
    logo: isLogoRemoved ? null : (draftLogo ?? saved.logo),
    logoSizePercent: clamp(sizeBounds, form.text('logo_size'), saved.logoSizePercent),
    logoPatch: oneOf(logoPatches, form.text('logo_patch'), saved.logoPatch),
    quietZoneModules: clamp(quietZoneBounds, form.text('quiet_zone'), saved.quietZoneModules),
  };
  return { design, draftLogo, problems };
}

/** Reads the uploaded logo. If there is none or it is rejected, reads the form's draft logo. */
async function readDraftLogo(
  form: FormFields,
  upload: Uint8Array | null,
  normalizeLogo: NormalizeLogo,
): Promise<{ draftLogo: Logo | null; problem: string | null }> {
  const earlier = form.text('draft_logo');
  // The client may have changed the earlier draft, so it is checked like an upload.
  const candidates = [upload, earlier === '' ? null : Buffer.from(earlier, 'base64')];
  let problem: string | null = null;
  for (const bytes of candidates) {
    if (bytes === null) continue;
    try {
      return { draftLogo: await normalizeLogo(bytes), problem };
    } catch (error) {
      if (!(error instanceof InvalidLogo)) throw error;
      problem ??= error.message;
    }
  }
  return { draftLogo: null, problem };
}

function oneOf<T extends string>(values: readonly T[], text: string, saved: T): T {
  return values.find((value) => value === text) ?? saved;
}

function clamp(bounds: { min: number; max: number }, text: string, saved: number): number {
  if (!/^\d{1,3}$/.test(text)) return saved;
  return Math.min(Math.max(Number(text), bounds.min), bounds.max);
}
