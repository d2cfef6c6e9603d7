import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Spawn } from '../compose.ts';
import {
  type Design,
  designBounds,
  finderShapes,
  type LogoFit,
  logoPatches,
  moduleShapes,
  parseColor,
  plainDesign,
  type Verdict,
  withLogoFit,
} from '../core/design.ts';
import { printAdvice } from '../core/print.ts';
import { imageWidthPxRange, sampleLink } from '../core/qrs.ts';
import { inSystemWords } from '../core/system-words.ts';
import { type CommandWorld, type CommonFlags, run, subcommand } from './command.ts';
import { existing } from './named-account.ts';
import { exitCodes, Refused } from './refusals.ts';

interface DesignFlags extends CommonFlags, Partial<Omit<Design, 'logo' | 'logoSizePercent'>> {
  /** A file, or false for `--no-logo`. */
  readonly logo?: string | false;
  readonly logoSize?: number;
  readonly quietZone?: number;
  readonly reset?: true;
}

/** `waymark design …` */
export function addDesignCommands(program: Command, spawn: Spawn): void {
  const design = program
    .command('design')
    .description('default designs: how the new codes of an account look');

  design
    .addCommand(
      refusingBoth(
        subcommand('set <email>', 'change the default design; what is not named stays'),
        ['logo', 'no-logo'],
      )
        .option('--logo <file>', 'PNG, JPEG, WebP or SVG; "-" reads standard input')
        .option('--no-logo', 'no logo')
        .option('--foreground <#RRGGBB>', 'colour of the dark modules', colorOf)
        .option('--background <#RRGGBB>', 'colour of the light modules and the quiet zone', colorOf)
        .addOption(new Option('--module-shape <shape>').choices(moduleShapes))
        .addOption(new Option('--finder-shape <shape>').choices(finderShapes))
        .option('--finder-color <#RRGGBB>', 'colour of the finder patterns', colorOf)
        .option(
          '--logo-size <percent>',
          `longer side of the logo in percent of the symbol's side, ${spelled(designBounds.logoSizePercent)}`,
          within(designBounds.logoSizePercent),
        )
        .addOption(
          new Option('--logo-patch <shape>', 'what is cleared behind the logo').choices(
            logoPatches,
          ),
        )
        .option(
          '--quiet-zone <modules>',
          `width of the quiet zone, ${spelled(designBounds.quietZoneModules)}`,
          within(designBounds.quietZoneModules),
        )
        .option('--reset', 'begin from black on white without a logo')
        .action((text: string, flags: DesignFlags) =>
          run(spawn, flags, async (world, config) => {
            const account = await existing(world.accounts, text);
            const before = flags.reset
              ? plainDesign
              : (await world.designs.defaultOf(account.id)).design;
            const chosen = await changed(world, before, flags);
            await world.designs.add(account.id, chosen, Date.now());
            const verdict = await judge(world, chosen, sampleLink(config));
            return {
              text: `The new codes of ${account.email} get this design: ${inWords(chosen)}.`,
              json: { email: account.email, design: onWire(chosen), ...verdict },
              ...(!verdict.readable && {
                warning: `codes in this design cannot be read, so none can be created. ${explained(verdict)}`,
              }),
            };
          }),
        ),
    )
    .addCommand(
      subcommand('show <email>', 'show the default design').action(
        (text: string, flags: CommonFlags) =>
          run(spawn, flags, async ({ accounts, designs }) => {
            const account = await existing(accounts, text);
            const { design: current } = await designs.defaultOf(account.id);
            return {
              text: inWords(current),
              json: { email: account.email, design: onWire(current) },
            };
          }),
      ),
    )
    .addCommand(
      subcommand('check <email>', 'tell whether codes in the default design can be read').action(
        (text: string, flags: CommonFlags) =>
          run(spawn, flags, async (world, config) => {
            const account = await existing(world.accounts, text);
            const { design: current } = await world.designs.defaultOf(account.id);
            const verdict = await judge(world, current, sampleLink(config));
            const judgement = verdict.readable ? 'Readable' : 'Not readable';
            const print = printAdvice({
              modules: verdict.modules,
              quietZoneModules: verdict.quiet_zone,
            });
            const widths = [
              'Print it, margin included, at least this wide:',
              ...print.map(({ use, widthMm }) => `  ${widthMm} mm ${use}`),
            ];
            return {
              text: [
                `${judgement}, score ${verdict.score} of 100. ${explained(verdict)}`.trim(),
                ...(verdict.readable ? widths : []),
              ].join('\n'),
              json: verdict,
            };
          }),
      ),
    )
    .addCommand(
      subcommand('preview <email>', 'draw a sample code in the default design')
        .requiredOption('--out <file>', 'PNG to write')
        .option(
          '--size <pixels>',
          `width and height, ${spelled(imageWidthPxRange)}`,
          within(imageWidthPxRange),
          imageWidthPxRange.default,
        )
        .action((text: string, flags: CommonFlags & { out: string; size: number }) =>
          run(spawn, flags, async ({ accounts, designs, renderer }, config) => {
            // It would be a file of that name, which is easily missed and hard to remove.
            if (flags.out === '-')
              throw new Refused('A preview cannot go to standard output. Name a PNG file.');
            const account = await existing(accounts, text);
            const { design: current } = await designs.defaultOf(account.id);
            const link = sampleLink(config);
            const { logoFit } = await renderer.judge(link, current);
            const png = await renderer.png(link, withLogoFit(current, logoFit), flags.size);
            // Where a disk is not mounted, its folder would be made and nobody would notice.
            await Bun.write(flags.out, png, { createPath: false }).catch((error: Error) => {
              throw new Refused(`${flags.out} cannot be written: ${inSystemWords(error)}.`);
            });
            return { text: `Wrote ${flags.out}.`, json: { file: flags.out, link } };
          }),
        ),
    );
}

/** Of two options that contradict each other commander would take the last without a word. */
function refusingBoth(command: Command, options: readonly [string, string]): Command {
  const named = new Set<string>();
  for (const option of options)
    command.on(`option:${option}`, () => {
      if (named.add(option).size < options.length) return;
      command.error(`error: --${options.join(' and --')} contradict each other; leave one out`, {
        exitCode: exitCodes.misused,
      });
    });
  return command;
}

async function changed(
  { renderer }: CommandWorld,
  before: Design,
  flags: DesignFlags,
): Promise<Design> {
  const { foreground, background, moduleShape, finderShape, finderColor, logoPatch } = flags;
  return {
    foreground: foreground ?? before.foreground,
    background: background ?? before.background,
    moduleShape: moduleShape ?? before.moduleShape,
    finderShape: finderShape ?? before.finderShape,
    finderColor: finderColor ?? before.finderColor,
    logo: await logoOf(renderer, before, flags.logo),
    logoSizePercent: flags.logoSize ?? before.logoSizePercent,
    logoPatch: logoPatch ?? before.logoPatch,
    quietZoneModules: flags.quietZone ?? before.quietZoneModules,
  };
}

async function logoOf(
  renderer: CommandWorld['renderer'],
  before: Design,
  flag: DesignFlags['logo'],
): Promise<Design['logo']> {
  // Commander gives true for an option that has a --no- form and was not named.
  if (typeof flag !== 'string') return flag === false ? null : before.logo;
  const bytes = await (flag === '-' ? Bun.stdin : Bun.file(flag)).bytes().catch((error: Error) => {
    throw new Refused(`${flag} cannot be read: ${inSystemWords(error)}.`);
  });
  return renderer.normalizeLogo(bytes);
}

async function judge({ renderer }: CommandWorld, design: Design, link: string) {
  const verdict = await renderer.judge(link, design);
  return {
    readable: verdict.readable,
    score: verdict.score,
    reasons: verdict.reasons,
    advice: verdict.advice,
    link,
    modules: verdict.modules,
    quiet_zone: verdict.quietZoneModules,
    ...(verdict.logoFit && { logo_fit: fitOnWire(verdict.logoFit) }),
  };
}

function fitOnWire({ sizePercent, rightModules, downModules }: LogoFit) {
  return { size_percent: sizePercent, right_modules: rightModules, down_modules: downModules };
}

function explained({ reasons, advice }: Pick<Verdict, 'reasons' | 'advice'>): string {
  return [...reasons, advice?.message ?? ''].join(' ').trim();
}

function inWords(design: Design): string {
  const patch = design.logoPatch === 'none' ? 'without a patch' : `on a ${design.logoPatch} patch`;
  const logo = design.logo === null ? 'no logo' : `a logo at ${design.logoSizePercent} % ${patch}`;
  return `${design.foreground} on ${design.background}, ${design.moduleShape} modules, ${design.finderShape} finder patterns${design.finderColor === null ? '' : ` in ${design.finderColor}`}, ${logo}, quiet zone of ${design.quietZoneModules} modules`;
}

function onWire({ logo, ...design }: Design) {
  return {
    foreground: design.foreground,
    background: design.background,
    module_shape: design.moduleShape,
    finder_shape: design.finderShape,
    finder_color: design.finderColor,
    logo: logo === null ? null : { width: logo.widthPx, height: logo.heightPx },
    logo_size: design.logoSizePercent,
    logo_patch: design.logoPatch,
    quiet_zone: design.quietZoneModules,
  };
}

function colorOf(text: string): string {
  const color = parseColor(text);
  if (color === null) throw new InvalidArgumentError('A colour is written #RRGGBB.');
  return color;
}

interface Bounds {
  readonly min: number;
  readonly max: number;
}

function within(bounds: Bounds) {
  return (text: string): number => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (number >= bounds.min && number <= bounds.max) return number;
    throw new InvalidArgumentError(`It must be a whole number ${spelled(bounds)}.`);
  };
}

function spelled({ min, max }: Bounds): string {
  return `from ${min} to ${max}`;
}
