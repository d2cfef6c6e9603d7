/**
 * What one verdict costs, beside the naive pipeline that it replaces (qrcode-generator, an SVG, resvg
 * at 512 pixels, jsQR): CPU time of the process, both in one run, in turns.
 *
 *     bun test/bench/gate.ts [ROUNDS]
 */
import { Resvg } from '@resvg/resvg-js';
import jsQR from 'jsqr';
import { type Design, plainDesign } from '../../src/core/designs/design.ts';
import { doJob } from '../../src/render/worker/job.ts';
import { naiveSvg } from './naive.ts';
import { chanceOf } from './readability/chance.ts';
import { logoOf } from './readability/logos.ts';

const rounds = Number(process.argv[2] ?? 60);
const links = Array.from({ length: 10 }, (_, index) => `https://go.example.com/k3m9x2p${index}`);
/** In symbols of version 8 a logo hides an alignment pattern. */
const longLinks = links.map((link) => link.replace('/k', `/${'k'.repeat(42)}`));
const logo = logoOf('disc', chanceOf(5));
const photograph = logoOf('photograph', chanceOf(6));

const designs: Record<string, Design> = {
  plain: plainDesign,
  'logo on a patch': { ...plainDesign, logo, logoPatch: 'circle' },
  'dots with a photograph': {
    ...plainDesign,
    moduleShape: 'dots',
    finderShape: 'circle',
    logo: photograph,
    logoSizePercent: 20,
  },
  'refused: too large a logo': { ...plainDesign, logo, logoSizePercent: 40 },
};

const letter = logoOf('monogram', chanceOf(9));
const longDesigns: Record<string, Design> = {
  'version 8, a logo on a patch': { ...plainDesign, logo, logoPatch: 'circle' },
  'version 8, a letter that is fitted': { ...plainDesign, logo: letter },
};
const subjects = [
  ...Object.entries(designs).map(([name, design]) => ({ name, design, links })),
  ...Object.entries(longDesigns).map(([name, design]) => ({ name, design, links: longLinks })),
];

async function naive(link: string, design: Design): Promise<boolean> {
  await new Promise((resolve) => setImmediate(resolve));
  const svg = naiveSvg(link, design);
  const { pixels } = new Resvg(svg, {
    fitTo: { mode: 'width', value: 512 },
    font: { loadSystemFonts: false },
  }).render();
  // Its default, said aloud because it keeps the options of any earlier call as its defaults.
  const options = { inversionAttempts: 'attemptBoth' } as const;
  return jsQR(new Uint8ClampedArray(pixels), 512, 512, options)?.data === link;
}

async function gate(link: string, design: Design): Promise<boolean> {
  await new Promise((resolve) => setImmediate(resolve));
  const outcome = await doJob({ kind: 'judge', shortLink: link, design });
  return 'isReadable' in outcome && outcome.isReadable;
}

async function cpuMs(
  work: (link: string, design: Design) => Promise<boolean>,
  { design, links }: (typeof subjects)[number],
) {
  const before = process.cpuUsage();
  for (const link of links) await work(link, design);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / links.length;
}

for (const subject of subjects) {
  await cpuMs(naive, subject);
  await cpuMs(gate, subject);
}
console.log('CPU ms a verdict, median (lowest)   gate            naive at 512 px   ratio');
for (const subject of subjects) {
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let round = 0; round < Math.ceil(rounds / links.length); round++) {
    ours.push(await cpuMs(gate, subject));
    theirs.push(await cpuMs(naive, subject));
  }
  const text = (times: number[]) =>
    `${median(times).toFixed(1)} (${Math.min(...times).toFixed(1)})`;
  const ratio = median(ours) / median(theirs);
  console.log(
    `${subject.name.padEnd(36)}${text(ours).padEnd(16)}${text(theirs).padEnd(18)}${ratio.toFixed(2)}`,
  );
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
