import { type Design, plainDesign } from '../../../src/core/designs/design.ts';
import { chanceOf } from './chance.ts';
import { linkOf, type Specimen } from './corpus.ts';
import { logoOf } from './logos.ts';

/**
 * Designs whose truth is known beforehand, from certain to hopeless: they judge the camera and the
 * judges, not the gate. Plain codes must be read always, the last rungs never.
 */
const rungs: Readonly<Record<string, Partial<Design>>> = {
  'black on white': {},
  '#777777 on white': { foreground: '#777777' },
  '#999999 on white': { foreground: '#999999' },
  '#bbbbbb on white': { foreground: '#bbbbbb' },
  '#dddddd on white': { foreground: '#dddddd' },
  '#f0f0f0 on white': { foreground: '#f0f0f0' },
  'black on pure blue': { background: '#0000ff' },
  'yellow on white': { foreground: '#ffd400' },
  'white on black': { foreground: '#ffffff', background: '#000000' },
  'red on green of like luma': { foreground: '#ff0000', background: '#008200' },
  'logo 20 %, cleared': withLogo(20),
  'logo 30 %, cleared': withLogo(30),
  'logo 40 %, cleared': withLogo(40),
};

function withLogo(logoSizePercent: number): Partial<Design> {
  return { logo: logoOf('blank', chanceOf(1)), logoSizePercent, logoPatch: 'square' };
}

/** Every rung on so many links. */
export function ladder(seed: number, links: number): Specimen[] {
  return Object.entries(rungs).flatMap(([name, changes]) =>
    Array.from({ length: links }, (_, index) => ({
      seed,
      index,
      groups: [name],
      link: linkOf(chanceOf(seed, index)),
      design: { ...plainDesign, ...changes },
    })),
  );
}
