/**
 * What the gate advises for designs that it refuses: whether applying it passes, and how much it changes.
 *
 *     bun test/bench/advice.ts [--seed 1] [--refused 500]
 *
 * Designs come from the corpus of readability.ts. Distances are those of OKLab: 0.02 is just visible
 * side by side, 1 lies between black and white.
 */
import { parseArgs } from 'node:util';
import type { Advice, Design } from '../../src/core/designs/design.ts';
import { pictureOf } from '../../src/render/draw/svg.ts';
import { checkReadability } from '../../src/render/gate/gate.ts';
import { distance, oklabOf } from '../../src/render/gate/oklab.ts';
import { specimenOf } from './readability/corpus.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    refused: { type: 'string', default: '500' },
  },
});
const [seed, wanted] = [Number(values.seed), Number(values.refused)];

let [refused, without, failed, cpuMs, slowestMs] = [0, 0, 0, 0, 0];
const withoutBecause: Record<string, number> = {};
const moved: Record<string, number[]> = {};
for (let index = 0; refused < wanted; index++) {
  const { link, design } = specimenOf(seed, index);
  const before = process.cpuUsage();
  const { isReadable, advice, reasons } = await checkReadability(pictureOf(link, design), link);
  const { user, system } = process.cpuUsage(before);
  if (isReadable) continue;
  refused++;
  cpuMs += (user + system) / 1_000;
  slowestMs = Math.max(slowestMs, (user + system) / 1_000);
  if (advice === null) {
    without++;
    const reason = (reasons.at(-1) ?? '').split(/[:.(]/)[0] ?? '';
    withoutBecause[reason] = (withoutBecause[reason] ?? 0) + 1;
    continue;
  }
  const advised = { ...design, ...advice.changes };
  if (!(await checkReadability(pictureOf(link, advised), link)).isReadable) failed++;
  for (const [name, amount] of Object.entries(amounts(design, advice))) {
    moved[name] = [...(moved[name] ?? []), amount];
  }
}

console.log(`seed ${seed}: ${refused} refused, ${refused - without} advised, ${failed} fail`);
for (const [reason, count] of Object.entries(withoutBecause)) {
  console.log(`  no advice ${count} times: ${reason}`);
}
console.log(
  `CPU of a refusal with its advice: mean ${(cpuMs / refused).toFixed(0)} ms, slowest ${slowestMs.toFixed(0)} ms`,
);
console.log('change: how often; median and 90th percentile of how much');
for (const [name, list] of Object.entries(moved)) {
  const sorted = list.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2);
  console.log(`  ${name.padEnd(18)}${String(list.length).padStart(5)}   ${at(0.5)}   ${at(0.9)}`);
}

/** By changed property: how far a colour moves, how much of the logo's width is left, or 1. */
function amounts(design: Design, { changes }: Advice): Record<string, number> {
  const list: Record<string, number> = {};
  const color = (name: string, from: string, to: string) => {
    list[name] = distance(oklabOf(from), oklabOf(to));
  };
  const { foreground, background, finderColor, logoSizePercent } = changes;
  if (foreground !== undefined) color('foreground', design.foreground, foreground);
  if (background !== undefined) color('background', design.background, background);
  if (finderColor !== undefined) {
    const present = design.finderColor ?? design.foreground;
    color('finderColor', present, finderColor ?? foreground ?? design.foreground);
  }
  if (logoSizePercent !== undefined) list['logo kept'] = logoSizePercent / design.logoSizePercent;
  if (changes.logoPatch !== undefined) list['logoPatch'] = 1;
  if (changes.moduleShape !== undefined) list['moduleShape'] = 1;
  if (changes.finderShape !== undefined) list['finderShape'] = 1;
  return list;
}
