import { type Command, InvalidArgumentError, Option } from 'commander';
import type { StartRenderWorker } from '../../compose/runtime.ts';
import { printAdvice } from '../../core/codes/print-size.ts';
import { sampleShortLink } from '../../core/codes/qrs.ts';
import {
  type Design,
  designBounds,
  finderShapes,
  logoPatches,
  moduleShapes,
  parseColor,
  plainDesign,
} from '../../core/designs/design.ts';
import { errnoMessage } from '../../lib/errors.ts';
import { existing } from '../account/named-account.ts';
import { spelled, within } from '../bounded-number.ts';
import { type CommandWorld, type CommonFlags, run, subcommand } from '../command.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { designOnWire, verdictOnWire } from './on-wire.ts';
import { previewCommand } from './preview.ts';

interface DesignFlags
  extends CommonFlags,
    Partial<Omit<Design, 'logo' | 'finderColor' | 'logoSizePercent'>> {
  /** A file, or false for `--no-logo`. */
  readonly logo?: string | boolean;
  /** A colour, or false for `--no-finder-color`. */
  readonly finderColor?: string | boolean;
  readonly logoSize?: number;
  readonly quietZone?: number;
  readonly reset?: true;
}

/** `waymark design …` */
export function addDesignCommands(program: Command, startRenderWorker: StartRenderWorker): void {
  const design = program
    .command('design')
    .description('default designs: how the new codes of an account look');

  design
    .addCommand(
      refusingBoth(
        refusingBoth(
          subcommand('set <email>', 'change the default design; what is not named stays'),
          'logo',
        ),
        'finder-color',
      )
        .option('--logo <file>', 'PNG, JPEG, WebP or SVG; "-" reads standard input')
        .option('--no-logo', 'no logo')
        .option('--foreground <#RRGGBB>', 'colour of the dark modules', colorOf)
        .option('--background <#RRGGBB>', 'colour of the light modules and the quiet zone', colorOf)
        .addOption(new Option('--module-shape <shape>').choices(moduleShapes))
        .addOption(new Option('--finder-shape <shape>').choices(finderShapes))
        .option('--finder-color <#RRGGBB>', 'colour of the finder patterns', colorOf)
        .option('--no-finder-color', 'finder patterns in the foreground colour')
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
          run(startRenderWorker, flags, async (deps, config) => {
            const account = await existing(deps.accounts, text);
            const before = flags.reset
              ? plainDesign
              : (await deps.designs.findDefault(account.id)).design;
            const chosen = await changed(deps, before, flags);
            await deps.designs.add(account.id, chosen, Date.now());
            const verdict = await judge(deps, chosen, sampleShortLink(config));
            return {
              text: `The new codes of ${account.email} get this design: ${inWords(chosen)}.`,
              json: { email: account.email, design: designOnWire(chosen), ...verdict },
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
          run(startRenderWorker, flags, async ({ accounts, designs }) => {
            const account = await existing(accounts, text);
            const { design: current } = await designs.findDefault(account.id);
            return {
              text: inWords(current),
              json: { email: account.email, design: designOnWire(current) },
            };
          }),
      ),
    )
    .addCommand(
      subcommand('check <email>', 'tell whether codes in the default design can be read').action(
        (text: string, flags: CommonFlags) =>
          run(startRenderWorker, flags, async (deps, config) => {
            const account = await existing(deps.accounts, text);
            const { design: current } = await deps.designs.findDefault(account.id);
            const verdict = await judge(deps, current, sampleShortLink(config));
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
    .addCommand(previewCommand(startRenderWorker));
}

/** Of an option and its `--no-` form commander would take the last without a word. */
function refusingBoth(command: Command, option: string): Command {
  const forms = [option, `no-${option}`];
  const named = new Set<string>();
  for (const form of forms)
    command.on(`option:${form}`, () => {
      if (named.add(form).size < forms.length) return;
      command.error(`error: --${forms.join(' and --')} contradict each other; leave one out`, {
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
    finderColor: finderColorOf(before, finderColor),
    logo: await logoOf(renderer, before, flags.logo),
    logoSizePercent: flags.logoSize ?? before.logoSizePercent,
    logoPatch: logoPatch ?? before.logoPatch,
    quietZoneModules: flags.quietZone ?? before.quietZoneModules,
  };
}

// Commander gives true for an option that has a --no- form and was not named.

function finderColorOf(before: Design, flag: DesignFlags['finderColor']): Design['finderColor'] {
  if (typeof flag === 'string') return flag;
  return flag === false ? null : before.finderColor;
}

async function logoOf(
  renderer: CommandWorld['renderer'],
  before: Design,
  flag: DesignFlags['logo'],
): Promise<Design['logo']> {
  if (typeof flag !== 'string') return flag === false ? null : before.logo;
  const bytes = await (flag === '-' ? Bun.stdin : Bun.file(flag)).bytes().catch((error: Error) => {
    throw new CommandError(`${flag} cannot be read: ${errnoMessage(error)}.`);
  });
  return renderer.normalizeLogo(bytes);
}

async function judge({ renderer }: CommandWorld, design: Design, link: string) {
  return verdictOnWire(await renderer.checkReadability(link, design), link);
}

function explained({ reasons, advice }: ReturnType<typeof verdictOnWire>): string {
  return [...reasons, advice?.message ?? ''].join(' ').trim();
}

function inWords(design: Design): string {
  const patch = design.logoPatch === 'none' ? 'without a patch' : `on a ${design.logoPatch} patch`;
  const logo = design.logo === null ? 'no logo' : `a logo at ${design.logoSizePercent} % ${patch}`;
  return `${design.foreground} on ${design.background}, ${design.moduleShape} modules, ${design.finderShape} finder patterns${design.finderColor === null ? '' : ` in ${design.finderColor}`}, ${logo}, quiet zone of ${design.quietZoneModules} modules`;
}

function colorOf(text: string): string {
  const color = parseColor(text);
  if (color === null) throw new InvalidArgumentError('A colour is written #RRGGBB.');
  return color;
}
