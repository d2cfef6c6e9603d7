import { type Command, InvalidArgumentError, Option } from 'commander';
import { captionSettings, maxCaptionCharacters, parseCaption } from '../../core/designs/caption.ts';
import {
  type CaptionPlace,
  captionPlaces,
  type Design,
  designBounds,
  finderShapes,
  logoPatches,
  maxLogoBytes,
  moduleShapes,
  parseColor,
} from '../../core/designs/design.ts';
import type { Renderer } from '../../core/designs/ports.ts';
import { readFileAtMost } from '../../lib/files/bounded-read.ts';
import { addCommand, numberOption } from '../command.ts';

/** The flags of `waymark design set`. */
export interface DesignFlags
  extends Partial<
    Pick<Design, 'foreground' | 'background' | 'moduleShape' | 'finderShape' | 'logoPatch'>
  > {
  /** A file, or false for `--no-logo`. */
  readonly logo?: string | false;
  /** A colour, or false for `--no-finder-color`. */
  readonly finderColor?: string | false;
  readonly logoSize?: number;
  readonly quietZone?: number;
  /** Empty for none. */
  readonly caption?: string;
  readonly captionPlace?: CaptionPlace;
  readonly reset?: true;
}

/** Adds `waymark design set` without its action. */
export function addSetCommand(design: Command): Command {
  return addCommand(
    design,
    'set <email>',
    'change the default design; what no option names stays the same',
  )
    .option('--logo <file>', 'PNG or JPEG in sRGB; "-" reads standard input')
    .option('--no-logo', 'remove the logo')
    .option('--foreground <#RRGGBB>', 'colour of the dark modules', colorOf)
    .option('--background <#RRGGBB>', 'colour of the light modules and the quiet zone', colorOf)
    .addOption(new Option('--module-shape <shape>', 'shape of the modules').choices(moduleShapes))
    .addOption(
      new Option('--finder-shape <shape>', 'shape of the finder patterns').choices(finderShapes),
    )
    .option('--finder-color <#RRGGBB>', 'colour of the finder patterns', colorOf)
    .option('--no-finder-color', 'draw the finder patterns in the foreground colour')
    .addOption(
      numberOption(
        '--logo-size <percent>',
        "longer side of the logo in percent of the symbol's side",
        designBounds.logoSizePercent,
      ),
    )
    .addOption(
      new Option('--logo-patch <shape>', 'space cleared behind the logo').choices(logoPatches),
    )
    .addOption(
      numberOption(
        '--quiet-zone <modules>',
        'width of the quiet zone',
        designBounds.quietZoneModules,
      ),
    )
    .option(
      '--caption <text>',
      `call to action at the code, up to ${maxCaptionCharacters} characters; "" for none`,
    )
    .addOption(new Option('--caption-place <place>', 'where the caption is').choices(captionPlaces))
    .option('--reset', 'start from black on white without a logo');
}

function colorOf(text: string): string {
  const color = parseColor(text);
  if (color === null) throw new InvalidArgumentError('A colour is written #RRGGBB.');
  return color;
}

/**
 * Returns a design with the changes of the flags.
 *
 * @throws FileError, Refused when the logo or the caption cannot be used
 */
export async function applyFlags(
  before: Design,
  flags: DesignFlags,
  renderer: Pick<Renderer, 'normalizeLogo'>,
): Promise<Design> {
  const { logo, finderColor } = flags;
  return {
    foreground: flags.foreground ?? before.foreground,
    background: flags.background ?? before.background,
    moduleShape: flags.moduleShape ?? before.moduleShape,
    finderShape: flags.finderShape ?? before.finderShape,
    finderColor: finderColor === false ? null : (finderColor ?? before.finderColor),
    logo:
      typeof logo === 'string'
        ? await renderer.normalizeLogo(await readFileAtMost(logo, maxLogoBytes))
        : logo === false
          ? null
          : before.logo,
    logoSizePercent: flags.logoSize ?? before.logoSizePercent,
    logoPatch: flags.logoPatch ?? before.logoPatch,
    quietZoneModules: flags.quietZone ?? before.quietZoneModules,
    ...captionSettings(
      flags.caption === undefined ? (before.caption ?? null) : parseCaption(flags.caption),
      flags.captionPlace ?? before.captionPlace ?? 'below',
    ),
  };
}
