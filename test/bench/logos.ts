/**
 * Measures how many real logos are accepted, how far their pictures differ from those of librsvg, and whether
 * their codes are read.
 *
 *     bun test/bench/logos.ts [--every 1] [--decode 1] [--keep FOLDER]
 *
 * Installs three npm packages of 4,700 SVGs into a temporary folder (or uses --keep FOLDER, where they stay,
 * together with the pictures that differ most). `--every 10` takes each tenth file, `--decode 20` checks and reads
 * the code of each twentieth accepted one. Needs rsvg-convert, zbarimg and ZXingReader.
 *
 * The difference is the RMSE of all channels (0 to 1) at 512 pixels on white and on grey, the larger one.
 * Results: logos.md.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { $, Glob } from 'bun';
import { type Logo, plainDesign } from '../../src/core/designs/design.ts';
import { InvalidLogo } from '../../src/core/errors.ts';
import { convertLogo } from '../../src/render/logo/logo.ts';
import { doJob, type Outcomes } from '../../src/render/worker/job.ts';
import { decoders } from '../support/decoders.ts';
import { decodePng } from '../support/png.ts';

const packages = ['@iconify-json/logos@1.2.19', 'devicon@2.17.0', 'flag-icons@7.5.0'];
const link = 'https://go.example.org/7h3k9m2x';
const visibleDifference = 0.02;

const { values } = parseArgs({
  options: {
    every: { type: 'string', default: '1' },
    decode: { type: 'string', default: '1' },
    keep: { type: 'string' },
  },
});
const folder = values.keep ?? (await mkdtemp(join(tmpdir(), 'waymark-logos-')));
await mkdir(folder, { recursive: true });

interface IconSet {
  readonly width?: number;
  readonly height?: number;
  readonly icons: Readonly<Record<string, Icon>>;
}

interface Icon {
  readonly body: string;
  readonly left?: number;
  readonly top?: number;
  readonly width?: number;
  readonly height?: number;
}

interface Tally {
  files: number;
  accepted: number;
  /** Differing visibly from librsvg. */
  different: number;
  judged: number;
  passed: number;
  read: Record<string, number>;
}
const tallies = new Map<string, Tally>();
const refusals: string[] = [];
const differences: { name: string; rmse: number }[] = [];

await Bun.write(join(folder, 'package.json'), '{"private":true}');
await $`bun add ${packages}`.cwd(folder).quiet();
let index = 0;
for await (const { collection, name, svg } of logos()) {
  if (index++ % Number(values.every) === 0) await examine(collection, name, svg);
}
report();
if (values.keep === undefined) await rm(folder, { recursive: true });

async function* logos(): AsyncGenerator<{ collection: string; name: string; svg: string }> {
  const modules = join(folder, 'node_modules');
  const set: IconSet = await Bun.file(join(modules, '@iconify-json/logos/icons.json')).json();
  for (const [name, icon] of Object.entries(set.icons)) {
    const { left = 0, top = 0, width = set.width, height = set.height, body } = icon;
    const viewBox = `${left} ${top} ${width ?? 256} ${height ?? 256}`;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="${viewBox}">${body}</svg>`;
    yield { collection: 'logos', name, svg };
  }
  for (const [collection, pattern] of [
    ['devicon', 'devicon/icons/*/*.svg'],
    ['flag-icons', 'flag-icons/flags/*/*.svg'],
  ] as const) {
    const paths = await Array.fromAsync(new Glob(pattern).scan({ cwd: modules }));
    for (const path of paths.sort()) {
      const name = path.split('/').slice(-2).join('-').replace('.svg', '');
      yield { collection, name, svg: await Bun.file(join(modules, path)).text() };
    }
  }
}

async function examine(collection: string, name: string, svg: string): Promise<void> {
  const fresh = { files: 0, accepted: 0, different: 0, judged: 0, passed: 0, read: {} };
  const tally: Tally = tallies.get(collection) ?? fresh;
  tallies.set(collection, tally);
  tally.files++;
  const logo = await convertLogo(new TextEncoder().encode(svg)).catch((error: unknown) => {
    if (!(error instanceof InvalidLogo)) throw new Error(`${collection} ${name}`, { cause: error });
    refusals.push(`${collection} ${name}: ${error.message}`);
    return null;
  });
  if (logo === null) return;
  tally.accepted++;
  const rmse = await differenceFromRsvg(`${collection}-${name}`, svg, logo);
  differences.push({ name: `${collection} ${name}`, rmse });
  if (rmse > visibleDifference) tally.different++;
  if (tally.accepted % Number(values.decode) !== 0) return;
  tally.judged++;
  const design = { ...plainDesign, logo };
  // The casts are safe: the outcome of a job is that of its kind.
  const subject = { shortLink: link, design };
  const { isReadable } = (await doJob({
    kind: 'checkReadability',
    ...subject,
  })) as Outcomes['checkReadability'];
  if (!isReadable) return;
  tally.passed++;
  const png = (await doJob({ kind: 'png', widthPx: 600, ...subject })) as Outcomes['png'];
  for (const { name: decoder, read } of decoders.slice(2)) {
    const isRead = (await read(png)).text === link;
    tally.read[decoder] = (tally.read[decoder] ?? 0) + Number(isRead);
  }
}

/** Returns the larger RMSE on white and on grey, and keeps both pictures when it is visible. */
async function differenceFromRsvg(name: string, svg: string, logo: Logo): Promise<number> {
  const size = ['-w', String(logo.widthPx), '-h', String(logo.heightPx)];
  const command = ['rsvg-convert', ...size, '--unlimited'];
  const child = Bun.spawn(command, { stdin: Buffer.from(svg), stdout: 'pipe', stderr: 'ignore' });
  const reference = await new Response(child.stdout).bytes();
  if (reference.length === 0) return Number.NaN;
  const [ours, theirs] = [decodePng(logo.png).rgba, decodePng(reference).rgba];
  const rmse = Math.max(...[255, 128].map((ground) => rmseOn(ground, ours, theirs)));
  if (rmse > visibleDifference && values.keep !== undefined) {
    await Bun.write(join(folder, 'different', `${name}.1.png`), logo.png);
    await Bun.write(join(folder, 'different', `${name}.2.png`), reference);
  }
  return rmse;
}

function rmseOn(ground: number, ours: Uint8Array | Uint8ClampedArray, theirs: typeof ours): number {
  let sum = 0;
  const on = (rgba: typeof ours, at: number, channel: number) => {
    const alpha = (rgba[at + 3] ?? 0) / 255;
    return (rgba[at + channel] ?? 0) * alpha + ground * (1 - alpha);
  };
  for (let at = 0; at < theirs.length; at += 4) {
    for (let channel = 0; channel < 3; channel++) {
      sum += ((on(ours, at, channel) - on(theirs, at, channel)) / 255) ** 2;
    }
  }
  return Math.sqrt(sum / (theirs.length * 0.75));
}

function report(): void {
  for (const [collection, { files, accepted, different, judged, passed, read }] of tallies) {
    const readings = Object.entries(read).map(([decoder, count]) => `${decoder} ${count}`);
    console.log(
      `${collection}: ${accepted} of ${files} accepted, ${different} differ; of ${judged} codes ${passed} pass, read by ${readings.join(', ')}`,
    );
  }
  const sorted = differences.toSorted((a, b) => b.rmse - a.rmse);
  console.log(`median RMSE ${sorted[sorted.length >> 1]?.rmse.toFixed(4)}`);
  for (const { name, rmse } of sorted.slice(0, 40)) console.log(`${rmse.toFixed(4)} ${name}`);
  console.log(refusals.join('\n'));
}
