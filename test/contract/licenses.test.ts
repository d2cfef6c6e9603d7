import { describe, expect, test } from 'bun:test';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

async function parts(): Promise<Part[]> {
  const { stdout } = await runProgram(['licenses', '--json'], { cwd });
  return JSON.parse(stdout).parts;
}

/** The packages that the bundler puts into the program. */
async function bundled(): Promise<string[]> {
  const { metafile } = await Bun.build({
    entrypoints: [join(root, 'src/main.ts'), join(root, 'src/render/worker/worker.ts')],
    target: 'bun',
    splitting: true,
    metafile: true,
    throw: true,
  });
  const files = Object.keys(metafile?.inputs ?? {});
  const names = files.map((file) => /.*\bnode_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1]);
  return [...new Set(names)].filter((name) => name !== undefined);
}

describe('what the executable is made of may be passed on with it', () => {
  test('"licenses" names every package that is bundled, and no other', async () => {
    const named = (await parts()).map(({ name }) => name);
    expect(named).toEqual(['bun', ...(await bundled()).sort()]);
  });

  test('each with its version, its source and the words of its licence', async () => {
    const words = {
      'Apache-2.0': /Apache License\s+Version 2\.0/,
      'BSD-3-Clause': /Redistributions? in binary form must reproduce/,
      ISC: /Permission to use, copy, modify, and\/or distribute/,
      MIT: /Permission is hereby granted, free of charge/,
      'MPL-2.0': /^Mozilla Public License Version 2\.0/,
    };
    for (const { name, version, license, source, texts } of await parts()) {
      expect([name, version]).toEqual([name, expect.stringMatching(/^\d+\.\d+\.\d+/)]);
      expect([name, source]).toEqual([
        name,
        expect.stringMatching(/^https:\/\/github\.com\/[\w.-]+\/[\w.-]+$/),
      ]);
      // Bun comes without the text; ours says where that of each of its parts is.
      if (name === 'bun') continue;
      expect([name, words]).toEqual([
        name,
        expect.objectContaining({ [license]: expect.anything() }),
      ]);
      const word = words[license as keyof typeof words];
      expect([name, texts.some((text) => word.test(text))]).toEqual([name, true]);
    }
  });

  test('to read, it begins with our own licence and holds each text once', async () => {
    const { exitCode, stdout, stderr } = await runProgram(['licenses'], { cwd });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const own = (await readFile(join(root, 'LICENSE'), 'utf8')).trim();
    expect(stdout).toStartWith('Waymark ');
    expect(stdout).toContain(own);
    for (const notice of ['Kazuhiko Arase', 'SmartBear Software', 'Yevhenii Reizner', 'WebKit'])
      expect(stdout).toContain(notice);
    expect(stdout.match(/^Mozilla Public License Version 2\.0$/gm)).toHaveLength(1);
  });
});
