/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { captionSettings, maxCaptionCharacters, parseCaption } from '../../core/designs/caption.ts';
import {
  type Design,
  type DesignChanges,
  designBounds,
  type Logo,
  maxDrawnFileBytes,
  maxLogoBytes,
  parseColor,
  toExternalNames,
} from '../../core/designs/design.ts';
import { InvalidInput } from '../request/invalid-input.ts';
import type { FormFields, Problem } from '../request/request.ts';
import {
  colorField,
  fileBound,
  hiddenField,
  labelled,
  nameField,
  pictureField,
  sliderField,
  textField,
  trimmed,
} from '../ui/fields.tsx';
import { type Field, readFields } from '../ui/form.tsx';
import { Submit, useTexts } from '../ui/page-context.tsx';
import {
  captionPlacePictures,
  finderShapePictures,
  logoPatchPictures,
  moduleShapePictures,
} from './pictures.tsx';

/** What reads logos from a form. */
export interface LogoReader {
  /** @throws Refused */
  normalize(bytes: Uint8Array): Promise<Logo>;
  /** Returns a logo that the account has uploaded within a day, by its digest. @throws InvalidInput */
  draft(digest: string): Promise<Logo>;
}

/** A logo that is not saved yet. */
interface DraftLogo {
  readonly logo: Logo;
  /** Name of its file; empty if it has none. */
  readonly fileName: string;
}

/** The logo that the tile of a form shows. */
export interface ShownLogo {
  readonly logo: Logo;
  /** Its picture as a data URL. */
  readonly url: string;
  /** Name of the file of a logo that is not saved yet; else null. */
  readonly fileName: string | null;
}

function colorOf(text: string): string {
  const typed = text.trim();
  const color = parseColor(typed.startsWith('#') ? typed : `#${typed}`);
  if (color === null) throw new InvalidInput((t) => t.designs.colourWanted);
  return color;
}

/** Creates the form of a design. Its tile shows a logo. */
export const designForm = (logos: LogoReader, shownLogo: ShownLogo | null = null) => ({
  logo: logoField((bytes) => (bytes === null ? null : logos.normalize(bytes)), shownLogo),
  // The digest of an uploaded logo that is not saved yet.
  draft_logo: hiddenField((digest) => (digest === '' ? null : logos.draft(digest))),
  draft_name: hiddenField((name) => name.slice(0, maxShownName)),
  // Drawn with the tile of the logo, which takes it away.
  no_logo: hiddenField((text) => text === 'yes'),
  logo_size: sliderField(
    (t) => t.designs.logoSize,
    (t, percent) => t.designs.logoSizeValue({ percent }),
    designBounds.logoSizePercent,
    (t) => t.designs.logoSizeHint,
  ),
  logo_patch: pictureField(
    (t) => t.designs.logoSpace,
    logoPatchPictures,
    (t, space) => t.designs.logoSpaceName({ space }),
  ),
  foreground: colorField({ label: (t) => t.designs.patternColour, parse: colorOf }),
  background: colorField({ label: (t) => t.designs.backgroundColour, parse: colorOf }),
  finder_color: colorField({
    label: (t) => t.designs.cornerColour,
    parse: (text) => (text.trim() === '' ? null : colorOf(text)),
    placeholder: (t) => t.designs.likePattern,
    follows: 'foreground',
  }),
  module_shape: pictureField(
    (t) => t.designs.patternShape,
    moduleShapePictures,
    (t, shape) => t.designs.patternShapeName({ shape }),
  ),
  finder_shape: pictureField(
    (t) => t.designs.cornerShape,
    finderShapePictures,
    (t, shape) => t.designs.cornerShapeName({ shape }),
  ),
  quiet_zone: sliderField(
    (t) => t.designs.margin,
    (t, squares) => t.designs.marginValue({ squares }),
    designBounds.quietZoneModules,
    (t) => t.designs.marginHint({ squares: designBounds.quietZoneModules.min }),
  ),
  caption: textField({
    label: (t) => t.designs.caption,
    hint: (t) => t.designs.captionHint({ chars: maxCaptionCharacters }),
    parse: parseCaption,
    isLive: true,
  }),
  caption_place: pictureField(
    (t) => t.designs.captionPlace,
    captionPlacePictures,
    (t, place) => t.designs.captionPlaceName({ place }),
  ),
  design_name: nameField({
    label: (t) => t.designs.nameOfDesign,
    hint: (t) => t.designs.nameHint,
    parse: trimmed,
  }),
});

/** A file system allows names of 255 bytes. */
const maxShownName = 255;

/** Which settings of a design differ from the saved one. */
export interface DesignDifference {
  readonly settings: readonly (keyof DesignChanges)[];
  readonly isOtherLogo: boolean;
  /** Values of the form's fields that undo it. */
  readonly undo: Readonly<Record<string, unknown>>;
}

/** Returns what differs between a saved design and a draft; null for nothing. */
export function differenceOf(saved: Design, draft: Design): DesignDifference | null {
  const { logo, logoPlacement: _, ...savedSettings } = saved;
  // The cast is safe: the keys are those of the settings.
  const names = Object.keys({ ...savedSettings, caption: '' }) as (keyof DesignChanges)[];
  // The place of a caption that is new or removed is no change of its own.
  const isSame = (name: keyof DesignChanges) =>
    saved[name] === draft[name] || (name === 'captionPlace' && draft.caption === undefined);
  const settings = names.filter((name) => !isSame(name));
  const isOtherLogo = !Bun.deepEquals(logo?.png, draft.logo?.png);
  if (settings.length === 0 && !isOtherLogo) return null;
  const values = Object.fromEntries(settings.map((name) => [name, saved[name] ?? null]));
  const undoLogo = isOtherLogo ? { no_logo: logo === null ? 'yes' : '', draft_logo: '' } : {};
  return { settings, isOtherLogo, undo: { ...toExternalNames(values), ...undoLogo } };
}

/** A design that is not saved. */
export interface DesignDraft {
  readonly design: Design;
  /** The form carries the digest and the name. */
  readonly draftLogo: DraftLogo | null;
  /** Name to save it under; empty for the default design. */
  readonly name: string;
  /** Why fields were rejected, by their names. */
  readonly problems: Readonly<Record<string, Problem>>;
}

/** Returns a design as the texts of the form's fields. */
export function valuesOfDesign({ design, name }: Pick<DesignDraft, 'design' | 'name'>) {
  return {
    logo_size: String(design.logoSizePercent),
    logo_patch: design.logoPatch,
    foreground: design.foreground,
    background: design.background,
    finder_color: design.finderColor ?? '',
    module_shape: design.moduleShape,
    finder_shape: design.finderShape,
    quiet_zone: String(design.quietZoneModules),
    caption: design.caption ?? '',
    caption_place: design.captionPlace ?? 'below',
    design_name: name,
  };
}

/** Reads a design from its form. Rejected fields keep the values of the saved design. */
export async function readDesign(
  typed: FormFields,
  saved: Design,
  logos: LogoReader,
): Promise<DesignDraft> {
  const { values, problems } = await readFields(designForm(logos), typed);
  const { logo, draft_logo, finder_color } = values;
  const draft = logo ?? draft_logo ?? null;
  const fileName = logo ? typed.fileName('logo').slice(0, maxShownName) : (values.draft_name ?? '');
  // An accepted file overrides the check box.
  const isLogoRemoved = values.no_logo === true && !logo;
  const logoProblem = problems['logo'] ?? problems['draft_logo'];
  return {
    name: values.design_name ?? '',
    draftLogo: draft && { logo: draft, fileName },
    problems: { ...problems, ...(logoProblem && { logo: logoProblem }) },
    design: {
      foreground: values.foreground ?? saved.foreground,
      background: values.background ?? saved.background,
      finderColor: finder_color === undefined ? saved.finderColor : finder_color,
      moduleShape: values.module_shape ?? saved.moduleShape,
      finderShape: values.finder_shape ?? saved.finderShape,
      logo: isLogoRemoved ? null : (draft ?? saved.logo),
      logoSizePercent: values.logo_size ?? saved.logoSizePercent,
      logoPatch: values.logo_patch ?? saved.logoPatch,
      quietZoneModules: values.quiet_zone ?? saved.quietZoneModules,
      ...captionSettings(
        values.caption === undefined ? (saved.caption ?? null) : values.caption,
        values.caption_place ?? saved.captionPlace ?? 'below',
      ),
    },
  };
}

/** Creates a tile that shows the logo and takes another file, also one that is dropped on it. */
function logoField(
  parse: (bytes: Uint8Array | null) => Promise<Logo> | null,
  logo: ShownLogo | null,
): Field<Logo | null> {
  return {
    read: async (typed, name) => parse(await typed.file(name)),
    draw: (drawn) =>
      labelled(
        { label: (t) => t.designs.uploadLogo, isLabelHidden: true, isLive: true },
        drawn,
        (attributes) => (
          <div class="file" data-file>
            <div class="row grow" id="logo-shown">
              <LogoTile shown={logo} />
            </div>
            {/* It covers the tile but its button, so that browsers take dropped files by themselves. */}
            <input
              {...attributes}
              {...fileBound(maxDrawnFileBytes, useTexts())}
              type="file"
              accept="image/*,.svg,.avif"
            />
          </div>
        ),
      ),
  };
}

/** What the tile takes: with the script what the browser draws, else what the server reads. */
const acceptedFiles = {
  drawnMegabytes: maxDrawnFileBytes / 1_000_000,
  drawn: (text: string) => <span class="script-only">{text}</span>,
  readMegabytes: maxLogoBytes / 1_000_000,
  read: (text: string) => <span class="no-script">{text}</span>,
};

/** Renders the logo of a design with its size, or what the tile takes. */
function LogoTile({ shown }: { shown: ShownLogo | null }) {
  const t = useTexts();
  return (
    <>
      <input type="hidden" id="no_logo" name="no_logo" value={shown === null ? 'yes' : ''} />
      {shown && (
        <img class="thumb" src={shown.url} alt={t.designs.yourLogo} width={64} height={64} />
      )}
      <div class="grow">
        <b dir="auto">
          {shown === null ? t.designs.dropLogo : shown.fileName || t.designs.yourLogo}
        </b>
        <div class="small soft">
          {shown === null ? t.designs.acceptedFiles(acceptedFiles) : <LogoSize shown={shown} />}
        </div>
      </div>
      <div class="row">
        <span class="button small" aria-hidden="true">
          {shown === null ? t.designs.chooseFile : t.designs.replaceLogo}
        </span>
        {shown !== null && (
          <Submit
            class="button small remove"
            name="do"
            value="remove logo"
            data-values={JSON.stringify({ no_logo: 'yes', draft_logo: '' })}
            formNoValidate
          >
            {t.designs.removeLogo}
          </Submit>
        )}
      </div>
    </>
  );
}

/** Renders how large a logo is, and for one that is not saved yet that it is printed as it is shown. */
function LogoSize({ shown: { logo, fileName } }: { shown: ShownLogo }) {
  const t = useTexts();
  if (fileName !== null)
    return (
      <>
        <span class="script-only">{t.designs.logoDrawnHere(logo)}</span>
        <span class="no-script">{t.designs.logoPrintedSo(logo)}</span>
      </>
    );
  return (
    <>
      {t.designs.logoSaved<ComponentChildren>({
        ...logo,
        ...acceptedFiles,
        more: (parts) => <span class="compact-hide">{parts}</span>,
      })}
    </>
  );
}
