import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { packageFiles } from '../../release/packages/files.ts';
import { createProgram } from '../../src/cli/program.ts';
import { options } from '../../src/config.ts';
import { blocksOf, readPage } from './blocks.ts';

const root = join(import.meta.dir, '../..');
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
];

// At the start of a line, or after the time and the user of a cron line.
const commandLine = /^(?:[\d* ]+root )?\s*(?:\/usr\/local\/s?bin\/)?waymark(?:ctl|-new)? (.*)$/gm;

// In a container, by the path of the program or by its image.
const containerLine =
  /^\s*(?:podman|docker compose) (?:exec .*? \/usr\/bin\/waymark|run --rm (?:.* )?(?:\S+\/)?waymark) (.*)$/gm;

/** The places of the programs in the packages, and after an installation of the archive as the page says. */
const documents = {
  manual: '',
  bash: '',
  zsh: '',
  fish: '',
  licenses: '',
  changelog: '',
  unit: '',
  waymarkctl: '',
  settings: '',
};
const packaged = packageFiles(documents, '', { zshCompletions: 'zsh' }).map(
  ({ path }) => `/${path}`,
);
const installed = (await blocksOf('docs/install.md', 'sh')).flatMap((block) =>
  [...block.matchAll(/^install -m 755 \S+ (\S+)$/gm)].map(([, path = '']) => path),
);
// Of Debian.
const rootPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const cronPath = '/usr/bin:/bin';

describe.each(pages)('%s', (page) => {
  test('links to existing files', async () => {
    const text = await readPage(page);
    const links = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link);
    const files = links.filter((link) => !link.includes(':'));
    const missing = files.filter((link) => !existsSync(join(root, dirname(page), link)));
    expect(missing).toEqual([]);
  });

  test('links to existing sections', async () => {
    const text = await readPage(page);
    for (const [link, file = '', anchor = ''] of text.matchAll(/\]\(([\w./-]*\.md)?#([^)]+)\)/g)) {
      const target = file === '' ? page : join(dirname(page), file);
      expect([link, anchorsOf(await readPage(target))]).toEqual([
        link,
        expect.arrayContaining([anchor]),
      ]);
    }
  });

  test('names existing files of the repository', async () => {
    const named = (await readPage(page)).match(
      /\b(?:src|test|docs|deploy|drizzle)\/[\w./-]*\.\w+/g,
    );
    expect((named ?? []).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('names programs that both installations find', async () => {
    for (const block of [...(await blocksOf(page, 'sh')), ...(await blocksOf(page, ''))]) {
      const [, set] = /^PATH=(.*)$/m.exec(block) ?? [];
      for (const line of block.split('\n')) {
        const [, cron, program] =
          /^\s*((?:[\d*/]+ ){5}root )?((?:\/\S*\/)?waymark(?:ctl)?) /.exec(line) ?? [];
        if (program === undefined) continue;
        const folders = (set ?? (cron === undefined ? rootPath : cronPath)).split(':');
        for (const files of [packaged, installed])
          expect([line, folders.some((folder) => files.includes(join(folder, program)))]).toEqual([
            line,
            true,
          ]);
      }
    }
  });

  test('names services of the compose files', async () => {
    for (const block of await blocksOf(page, 'sh'))
      for (const [line, file = 'compose.yaml', service = ''] of block.matchAll(
        /^ *docker compose (?:--file (\S+) )?(?:exec(?: -T)?|run(?: --\S+)*|logs|stop|start) (\w+)/gm,
      )) {
        const compose = Object(Bun.YAML.parse(await readPage(`deploy/${file}`)));
        expect([line, Object.keys(compose.services)]).toEqual([
          line,
          expect.arrayContaining([service]),
        ]);
      }
  });

  test('uses existing commands and flags', async () => {
    const program = await createProgram(() => {
      throw new Error('no worker is needed');
    });
    const blocks = [...(await blocksOf(page, 'sh')), ...(await blocksOf(page, ''))].join('\n');
    const lines = [...blocks.matchAll(commandLine), ...blocks.matchAll(containerLine)];
    for (const [, line = ''] of lines) {
      const words = line.split(/\s+#|[<|]/)[0]?.split(/\s+/) ?? [];
      expect([line, problemOf(program, words)]).toEqual([line, null]);
    }
  });
});

/** Returns the anchors that a browser finds in a page: its headings, as code hosts write them. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(/\s/g, '-'),
  );
}

/** Returns what is wrong with a command line, or null. */
function problemOf(program: Command, words: readonly string[]): string | null {
  let command = program;
  for (const word of words) {
    const child = command.commands.find((one) => one.name() === word);
    if (child === undefined) break;
    command = child;
  }
  if (command === program) return `there is no command ${words[0]}`;
  const known = command.options.flatMap(({ long }) => long ?? []);
  const unknown = words.find((word) => word.startsWith('--') && !known.includes(word));
  return unknown === undefined ? null : `${command.name()} has no ${unknown}`;
}

test('the index of the documents links to every page', async () => {
  const index = await readPage('docs/README.md');
  const listed = [...index.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, file]) => `docs/${file}`);
  expect(listed.sort()).toEqual(
    pages.filter((page) => page !== 'README.md' && page !== 'docs/README.md').sort(),
  );
});

test('the changelog links to existing sections', async () => {
  const text = await readPage('CHANGELOG.md');
  for (const [link, file = '', , anchor] of text.matchAll(/\]\(([\w./-]*\.md)(#([^)]+))?\)/g)) {
    const anchors = anchorsOf(await readPage(file));
    expect([link, anchor === undefined || anchors.includes(anchor)]).toEqual([link, true]);
  }
});

test('the settings page has exactly the settings and their defaults', async () => {
  const table = [
    ...(await readPage('docs/settings.md')).matchAll(/^\| `(WAYMARK_\w+)` *\| *(.*?) *\|/gm),
  ];
  const listed = Object.fromEntries(table.map(([, name = '', value = '']) => [name, value]));
  const expected = Object.values(options).map((option) => [
    option.name,
    'default' in option ? `\`${option.default}\`` : null,
  ]);
  expect(Object.keys(listed).sort()).toEqual(expected.map(([name]) => String(name)).sort());
  for (const [name, value] of expected)
    if (value !== null) expect([name, listed[String(name)]]).toEqual([name, value]);
});
