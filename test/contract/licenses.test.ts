import { expect, test } from 'bun:test';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundling } from '../../release/executable.ts';
import { runProgram } from '../support/program.ts';

const root = join(import.meta.dir, '../..');
const cwd = tmpdir();

interface Part {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly source: string;
  readonly texts: readonly string[];
}

const { stdout: json } = await runProgram(['licenses', '--json'], { cwd });
const parts: Part[] = JSON.parse(json).parts;

/** Returns the packages that the bundler puts into the program. */
async function bundled(): Promise<string[]> {
  const options = bundling({ version: '0.0.0', commit: '' });
  const { metafile } = await Bun.build({ ...options, target: 'bun', metafile: true, throw: true });
  const files = Object.keys(metafile?.inputs ?? {});
  const names = files.map((file) => /.*\bnode_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1]);
  // The bundler does not list what a macro reads.
  const read = ['crawler-user-agents', 'dejavu-fonts-ttf', 'isbot'];
  return [...new Set([...names, ...read])].filter((name) => name !== undefined);
}

test('"licenses" names the packages that are bundled, and no other', async () => {
  expect(parts.map(({ name }) => name)).toEqual(['bun', ...(await bundled()).sort()]);
});

const phrases: Readonly<Record<string, RegExp>> = {
  'Apache-2.0': /Apache License\s+Version 2\.0/,
  'Bitstream-Vera': /Bitstream Vera Fonts Copyright/,
  'BSD-2-Clause': /Redistributions of source code must retain/,
  'BSD-3-Clause': /Redistributions? in binary form must reproduce/,
  ISC: /Permission to use, copy, modify, and\/or distribute/,
  MIT: /Permission is hereby granted, free of charge/,
  Unlicense: /This is free and unencumbered software/,
  'OFL-1.1': /SIL OPEN FONT LICENSE Version 1\.1/,
  'MPL-2.0': /^Mozilla Public License Version 2\.0/,
};

test.each(parts)('$name has version, source and licence text', (part) => {
  expect(part.version).toMatch(/^\d+\.\d+\.\d+/);
  expect(part.source).toMatch(/^https:\/\/github\.com\/[\w.-]+\/[\w.-]+$/);
  // The package of Bun has no text; bun.txt points to those of its parts.
  if (part.name === 'bun') return;
  expect(part.texts.join('\n\n')).toMatch(phrases[part.license] ?? 'a known licence');
});

test('the text starts with the own licence and holds each other text once', async () => {
  const { exitCode, stdout, stderr } = await runProgram(['licenses'], { cwd });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toStartWith('Waymark ');
  expect(stdout).toContain((await readFile(join(root, 'LICENSE'), 'utf8')).trim());
  for (const notice of ['Kazuhiko Arase', 'SmartBear Software', 'Yevhenii Reizner', 'WebKit'])
    expect(stdout).toContain(notice);
  expect(stdout.match(/^Mozilla Public License Version 2\.0$/gm)).toHaveLength(1);
});
