import { afterAll, expect, test } from 'bun:test';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tsconfig from '../../tsconfig.json';

const root = join(import.meta.dir, '../..');
const folder = mkdtempSync(join(tmpdir(), 'waymark-mappings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// A line of a mapping: the name in core, and a column or an expression.
const mappedColumn = /^ +\w+: (\w+\.\w+|sql[<`].*),$/gm;
// Or columns of a table under their own names.
const picked = /(?<=pick\(\w+,[^()]*)'\w+',?/g;

test('a mapping without one of its columns does not compile', async () => {
  mkdirSync(join(folder, 'src'));
  for (const name of ['node_modules', 'package.json', 'drizzle', 'src/core', 'src/lib'])
    symlinkSync(join(root, name), join(folder, name));
  cpSync(join(root, 'src/sql'), join(folder, 'src/sql'), { recursive: true });
  // The program is as it is in src/, with a copy of a file for each mapped column, without that column.
  const mutants: string[] = [];
  for (const noun of readdirSync(join(folder, 'src/sql'), { withFileTypes: true })) {
    if (!noun.isDirectory()) continue;
    for (const file of readdirSync(join(folder, 'src/sql', noun.name))) {
      const source = readFileSync(join(folder, 'src/sql', noun.name, file), 'utf8');
      for (const { 0: column, index } of [
        ...source.matchAll(mappedColumn),
        ...source.matchAll(picked),
      ]) {
        const mutant = `src/sql/${noun.name}/${file.replace('.ts', `.without-${index}.ts`)}`;
        const rest = source.slice(0, index) + source.slice(index + column.length);
        writeFileSync(join(folder, mutant), rest);
        mutants.push(mutant);
      }
    }
  }
  expect(mutants.length).toBeGreaterThan(50);
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        ...tsconfig.compilerOptions,
        preserveSymlinks: true,
        noUnusedLocals: false,
      },
      include: ['src/sql'],
    }),
  );
  const tsc = Bun.spawn([join(root, 'node_modules/.bin/tsc'), '--pretty', 'false'], {
    cwd: folder,
  });
  const output = await new Response(tsc.stdout).text();
  const failing = new Set(output.split('\n').map((line) => line.replace(/\(.*/, '')));
  expect(mutants.filter((mutant) => !failing.has(mutant))).toEqual([]);
  const others = [...failing].filter((file) => file.endsWith('.ts') && !mutants.includes(file));
  expect(others).toEqual([]);
});
