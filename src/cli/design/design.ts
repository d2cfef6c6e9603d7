import type { Command } from 'commander';
import { closing, realClock, type StartRenderWorker } from '../../compose/runtime.ts';
import { printAdvice } from '../../core/codes/print/size.ts';
import { imageWidthPxRange } from '../../core/codes/qrs.ts';
import { sampleShortLink } from '../../core/codes/urls/short-url.ts';
import { type Design, plainDesign, withLogoPlacement } from '../../core/designs/design.ts';
import type { Renderer } from '../../core/designs/ports.ts';
import { createSavedDesigns } from '../../core/designs/saved-designs.ts';
import { writeFileAtomically } from '../../lib/files/atomic-write.ts';
import { createRenderer } from '../../workers/renderer.ts';
import { onAccount } from '../account/find-account.ts';
import {
  addCommand,
  type CommandDeps,
  commandOn,
  numberOption,
  type Outcome,
  rejectOutput,
} from '../command.ts';
import { useText } from '../sentences/print.ts';
import {
  designJson,
  designText,
  type ReadabilityJson,
  readabilityJson,
  readabilityReasons,
} from './format.ts';
import { addSetCommand, applyFlags, type DesignFlags } from './set.ts';

interface DesignDeps extends CommandDeps {
  readonly renderer: Renderer;
}

/** An account and its default design. */
interface DesignOwner {
  readonly id: number;
  readonly email: string;
  readonly design: Design;
}

interface PreviewFlags {
  readonly out: string;
  readonly size: number;
}

/** Adds `waymark design …`. */
export function addDesignCommands(program: Command, startRenderWorker: StartRenderWorker): void {
  const onDesign = <Given extends unknown[]>(
    act: (deps: DesignDeps, owner: DesignOwner, ...given: Given) => Promise<Outcome>,
  ) =>
    onAccount(async (deps, { id, email }, ...given: Given) => {
      const { design } = await deps.designs.findDefault(id);
      // Its worker starts when something is rendered.
      await using renderer = closing(createRenderer({ startRenderWorker, workers: 1 }));
      return await act({ ...deps, renderer }, { id, email, design }, ...given);
    });

  const design = program
    .command('design')
    .description('manage the default design, which new codes of an account get');
  addSetCommand(design).action(onDesign(setDesign));
  addCommand(design, 'show <email>', 'show the default design').action(
    onDesign(async (_, { email, design }) => ({
      text: designText(design),
      json: { email, design: designJson(design) },
    })),
  );
  addCommand(design, 'check <email>', 'check that codes in the default design can be read').action(
    onDesign(async (deps, { design }) => {
      const result = await checkReadability(deps, design);
      // The text says why it cannot be read.
      const failure = !result.readable && 'Codes in this design cannot be read.';
      return { text: linesOf(result), json: result, failure };
    }),
  );
  addCommand(
    design,
    'save <email> <name>',
    'save the default design under a name, to choose it later',
  ).action(onDesign(saveDesign));
  addCommand(design, 'preview <email>', 'write an image of a sample code in the default design')
    .requiredOption('--out <file>', 'PNG to write; an earlier file is replaced')
    .addOption(
      numberOption('--size <pixels>', 'width and height', imageWidthPxRange).default(
        imageWidthPxRange.default,
      ),
    )
    .action(onDesign(preview));
}

async function setDesign(
  deps: DesignDeps,
  { id, email, design }: DesignOwner,
  flags: DesignFlags,
): Promise<Outcome> {
  const changed = await applyFlags(flags.reset ? plainDesign : design, flags, deps.renderer);
  await deps.designs.add(commandOn({ id }), changed, realClock.nowMs());
  const result = await checkReadability(deps, changed);
  return {
    text: `New codes of ${email} get this design: ${designText(changed)}.`,
    json: { email, design: designJson(changed), ...result },
    change: { account: email },
    warnings: [
      flags.captionPlace !== undefined &&
        changed.caption === undefined &&
        'the design has no caption to place; "--caption TEXT" adds one',
      !result.readable &&
        `codes in this design can't be read, so none can be created. ${readabilityReasons(result)}`,
    ],
  };
}

async function saveDesign(
  { designs, savedDesigns: store }: DesignDeps,
  { id, email, design }: DesignOwner,
  name: string,
): Promise<Outcome> {
  await createSavedDesigns({ store, designs, clock: realClock }).save(
    commandOn({ id }),
    name,
    design,
  );
  const saved = name.trim();
  return {
    text: `Saved the default design of ${email} as "${saved}". New codes get it with "--design" of "code create" and "code import", or in the panel.`,
    json: { email, name: saved, design: designJson(design) },
    change: { account: email, name: saved },
  };
}

async function checkReadability(
  { renderer, config }: DesignDeps,
  design: Design,
): Promise<ReadabilityJson> {
  const link = sampleShortLink(config);
  return readabilityJson(await renderer.checkReadability(link, design), link);
}

function linesOf(result: ReadabilityJson): string[] {
  const {
    readable,
    score,
    modules,
    quiet_zone: quietZoneModules,
    caption_modules: captionModules,
  } = result;
  const summary = `${readable ? 'Readable' : 'Not readable'}, score ${score} of 100.`;
  const first = `${summary} ${readabilityReasons(result)}`.trim();
  if (!readable) return [first];
  const widths = printAdvice({ modules, quietZoneModules, captionModules: captionModules ?? 0 });
  return [
    first,
    'Minimum print width, with the quiet zone:',
    ...widths.map(
      ({ use, distanceMm, widthMm }) => `  ${widthMm} mm ${useText({ use, distanceMm })}`,
    ),
  ];
}

async function preview(
  { renderer, config }: DesignDeps,
  { design }: DesignOwner,
  { out, size }: PreviewFlags,
): Promise<Outcome> {
  rejectOutput(config, out);
  const link = sampleShortLink(config);
  const { logoPlacement } = await renderer.checkReadability(link, design);
  const png = await renderer.png(link, withLogoPlacement(design, logoPlacement), size);
  await writeFileAtomically(out, (add) => add(png));
  return { text: `Wrote ${out}.`, json: { file: out, link } };
}
