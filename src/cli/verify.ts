import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { type Command, InvalidArgumentError } from 'commander';
import type { Spawn } from '../compose.ts';
import type { DesignStore, Renderer } from '../core/ports.ts';
import { makeRenderer } from '../render/renderer.ts';
import { makeDesignStore } from '../sqlite/designs.ts';
import { allPrinted, type Printed, samplePrinted } from '../sqlite/qr-sample.ts';
import { openForReading } from '../sqlite/read-only.ts';
import { type CommonFlags, configOf, type Outcome, reporting, subcommand } from './command.ts';

interface VerifyFlags extends CommonFlags {
  readonly all?: true;
  readonly sample: number;
  readonly seed?: number;
}

/** How a code differs from the one that was printed. */
interface Drift {
  readonly code: string;
  readonly problem: 'image_changed' | 'unreadable' | 'not_rendered';
  readonly message: string;
}

// More would say no more, and a million lines of JSON fit nowhere.
const mostInJson = 1000;

/** `waymark verify` */
export function addVerifyCommand(program: Command, spawn: Spawn): void {
  program.addCommand(
    subcommand('verify', 'draw stored codes again and hold them against what was printed')
      .option('--all', 'every code, not a sample')
      .option('--sample <codes>', 'how many codes, spread over all ages', wholeNumber, 200)
      .option('--seed <number>', 'repeats the sample of an earlier run', wholeNumber)
      .action((flags: VerifyFlags) => reporting(flags, () => verify(flags, spawn))),
  );
}

async function verify(flags: VerifyFlags, spawn: Spawn): Promise<Outcome> {
  const store = openForReading(configOf(flags).data);
  const hands = availableParallelism();
  const renderer = makeRenderer({ spawn, workers: hands });
  const seed = flags.seed ?? crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  const designs = makeDesignStore(store);
  const drifted: Drift[] = [];
  let [checked, found] = [0, 0];
  try {
    const printed = flags.all ? allPrinted(store) : samplePrinted(store, flags.sample, seed);
    await forEach(printed, hands, async (one) => {
      const drift = await driftOf(one, designs, renderer);
      checked++;
      if (drift === null) return;
      found++;
      if (!flags.json) console.log(`${drift.code}: ${drift.message}`);
      else if (drifted.length < mostInJson) drifted.push(drift);
    });
  } finally {
    await renderer.close();
    store.$client.close();
  }
  const which = flags.all ? 'all codes' : `a sample; repeat it with --seed ${seed}`;
  return {
    text: `Checked ${checked} codes (${which}): ${found === 0 ? 'all are' : `${checked - found} are`} as printed.`,
    json: { checked, drifted: found, seed: flags.all ? null : seed, drift: drifted },
    ...(found > 0 && {
      failure:
        `${found} of ${checked} codes are no longer what was printed. Do not go on with this program: ` +
        'their images would change. Keep the one that created them.',
    }),
  };
}

/** Null when a code is still what was printed: the same SVG to the byte, and readable. */
async function driftOf(
  { code, shortLink, designId, imageHash }: Printed,
  designs: DesignStore,
  renderer: Renderer,
): Promise<Drift | null> {
  try {
    const design = await designs.find(designId);
    const svg = await renderer.svg(shortLink, design);
    if (!createHash('sha256').update(svg).digest().equals(imageHash))
      return {
        code,
        problem: 'image_changed',
        message: 'the image differs from the one at creation',
      };
    const { readable, reasons } = await renderer.judge(shortLink, design);
    if (!readable)
      return { code, problem: 'unreadable', message: `cannot be read back. ${reasons.join(' ')}` };
    return null;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { code, problem: 'not_rendered', message: `cannot be drawn: ${reason}` };
  }
}

/** So many at a time, never more in memory than that. */
async function forEach<T>(
  items: Iterable<T>,
  hands: number,
  act: (item: T) => Promise<void>,
): Promise<void> {
  const remaining = items[Symbol.iterator]();
  const work = async () => {
    for (let next = remaining.next(); !next.done; next = remaining.next()) await act(next.value);
  };
  await Promise.all(Array.from({ length: hands }, work));
}

function wholeNumber(text: string): number {
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
}
