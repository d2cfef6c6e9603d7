import type { Command } from 'commander';
import { closing, realClock, type StartRenderWorker } from '../../compose/runtime.ts';
import type { Config } from '../../config.ts';
import { printAdvice } from '../../core/codes/print/size.ts';
import { imageWidthPxRange } from '../../core/codes/qrs.ts';
import { sampleShortLink } from '../../core/codes/urls/short-url.ts';
import { type Design, plainDesign, withLogoPlacement } from '../../core/designs/design.ts';
import type { Renderer } from '../../core/designs/ports.ts';
import { createSavedDesigns } from '../../core/designs/saved-designs.ts';
import { writeFileAtomically } from '../../lib/atomic-write.ts';
import { createRenderer } from '../../render/renderer.ts';
import { rejectOverwrite } from '../../sqlite/maintenance/overwrite-guard.ts';
import { findAccount } from '../account/find-account.ts';
import {
  type CommandDeps,
  type CommonFlags,
  numberOption,
  type Outcome,
  rejectStdout,
  run,
  subcommand,
} from '../command.ts';
import {
  designJson,
  designText,
  type ReadabilityJson,
  readabilityJson,
  readabilityReasons,
} from './format.ts';
import { applyFlags, createSetCommand, type DesignFlags } from './set.ts';

interface DesignDeps extends CommandDeps {
  readonly renderer: Renderer;
}

interface PreviewFlags extends CommonFlags {
  readonly out: string;
  readonly size: number;
}

/** Adds `waymark design …`. */
export function addDesignCommands(program: Command, startRenderWorker: StartRenderWorker): void {
  const runWithRenderer = (
    flags: CommonFlags,
    act: (deps: DesignDeps, config: Config) => Promise<Outcome>,
  ) =>
    run(flags, async (deps, config) => {
      await using renderer = closing(createRenderer({ startRenderWorker, workers: 1 }));
      return await act({ ...deps, renderer }, config);
    });

  program
    .command('design')
    .description('manage the default design, which new codes of an account get')
    .addCommand(
      createSetCommand().action((text: string, flags: DesignFlags) =>
        runWithRenderer(flags, (deps, config) => setDesign(deps, config, text, flags)),
      ),
    )
    .addCommand(
      subcommand('show <email>', 'show the default design').action(
        (text: string, flags: CommonFlags) =>
          run(flags, async (deps) => {
            const { email, design } = await findDesign(deps, text);
            return { text: designText(design), json: { email, design: designJson(design) } };
          }),
      ),
    )
    .addCommand(
      subcommand('check <email>', 'check that codes in the default design can be read').action(
        (text: string, flags: CommonFlags) =>
          runWithRenderer(flags, async (deps, config) => {
            const { design } = await findDesign(deps, text);
            const result = await checkReadability(deps, config, design);
            return { text: checkText(result), json: result };
          }),
      ),
    )
    .addCommand(
      subcommand(
        'save <email> <name>',
        'save the default design under a name, to choose it later',
      ).action((text: string, name: string, flags: CommonFlags) =>
        run(flags, (deps) => saveDesign(deps, text, name)),
      ),
    )
    .addCommand(
      subcommand('preview <email>', 'write an image of a sample code in the default design')
        .requiredOption('--out <file>', 'PNG to write; an earlier file is replaced')
        .addOption(
          numberOption('--size <pixels>', 'width and height', imageWidthPxRange).default(
            imageWidthPxRange.default,
          ),
        )
        .action((text: string, flags: PreviewFlags) =>
          runWithRenderer(flags, (deps, config) => preview(deps, config, text, flags)),
        ),
    );
}

async function findDesign({ accounts, designs }: CommandDeps, text: string) {
  const { id, email } = await findAccount(accounts, text);
  const { design } = await designs.findDefault(id);
  return { id, email, design };
}

async function setDesign(
  deps: DesignDeps,
  config: Config,
  text: string,
  flags: DesignFlags,
): Promise<Outcome> {
  const { id, email, design } = await findDesign(deps, text);
  const changed = await applyFlags(flags.reset ? plainDesign : design, flags, deps.renderer);
  await deps.designs.add(id, changed, Date.now());
  const result = await checkReadability(deps, config, changed);
  return {
    text: `New codes of ${email} get this design: ${designText(changed)}.`,
    json: { email, design: designJson(changed), ...result },
    change: { account: email },
    ...(!result.readable && {
      warning: `codes in this design can't be read, so none can be created. ${readabilityReasons(result)}`,
    }),
  };
}

async function saveDesign(deps: CommandDeps, text: string, name: string): Promise<Outcome> {
  const { id, email, design } = await findDesign(deps, text);
  const saved = createSavedDesigns({
    store: deps.savedDesigns,
    designs: deps.designs,
    clock: realClock,
  });
  await saved.save(id, name, design);
  return {
    text: `Saved the default design of ${email} as "${name.trim()}". New codes get it with "--design" of "code create" and "code import", or in the panel.`,
    json: { email, name: name.trim(), design: designJson(design) },
    change: { account: email, name: name.trim() },
  };
}

async function checkReadability(
  { renderer }: DesignDeps,
  config: Config,
  design: Design,
): Promise<ReadabilityJson> {
  const link = sampleShortLink(config);
  return readabilityJson(await renderer.checkReadability(link, design), link);
}

function checkText(result: ReadabilityJson): string {
  const { readable, score, modules, quiet_zone: quietZoneModules } = result;
  const summary = `${readable ? 'Readable' : 'Not readable'}, score ${score} of 100.`;
  const lines = [`${summary} ${readabilityReasons(result)}`.trim()];
  if (readable) {
    lines.push('Minimum print width, with the quiet zone:');
    for (const { use, widthMm } of printAdvice({ modules, quietZoneModules }))
      lines.push(`  ${widthMm} mm ${use}`);
  }
  return lines.join('\n');
}

async function preview(
  deps: DesignDeps,
  config: Config,
  text: string,
  { out, size }: PreviewFlags,
): Promise<Outcome> {
  rejectStdout(out);
  rejectOverwrite(config.data, out);
  const { renderer } = deps;
  const { design } = await findDesign(deps, text);
  const link = sampleShortLink(config);
  const { logoPlacement } = await renderer.checkReadability(link, design);
  const png = await renderer.png(link, withLogoPlacement(design, logoPlacement), size);
  await writeFileAtomically(out, (add) => add(png));
  return { text: `Wrote ${out}.`, json: { file: out, link } };
}
