import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { nginx } from '../../src/cli/data/export/nginx.ts';
import { csv } from '../../src/cli/data/export/records.ts';
import { redirects as netlify } from '../../src/cli/data/export/redirects-file.ts';
import { splitCsvRow, withoutFormulaGuard } from '../../src/lib/csv.ts';
import { locationHeader } from '../../src/redirect/link-outcome.ts';
import { exported, oddRedirects, redirect } from './odd-map.ts';

const prefixes = ['https://qr.example.com', 'https://example.com/q'] as const;

test('CSV has every value unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(oddRedirects(prefixes), async (redirects) => {
      const rows = (await exported(csv, prefixes, redirects)).slice(1);
      expect(rows.map((row) => splitCsvRow(row.trimEnd(), ',')?.map(withoutFormulaGuard))).toEqual(
        redirects.map(
          ({ code, shortLink, destination, status, name, note, folder, path, isArchived }) => [
            ...(status === 'active'
              ? [code, shortLink, destination, locationHeader(destination), status, '302']
              : [code, shortLink, destination, '', status, '410']),
            name ?? '',
            note ?? '',
            folder ?? '',
            path ?? '',
            isArchived ? 'yes' : '',
          ],
        ),
      );
    }),
    { numRuns: 15 },
  );
});

test('_redirects has three words per line, for both printed spellings of a code', async () => {
  await fc.assert(
    fc.asyncProperty(oddRedirects(prefixes), async (redirects) => {
      const text = (await exported(netlify, prefixes, redirects)).join('');
      const rules = new Map<string, string>();
      for (const line of text.trimEnd().split('\n').slice(1)) {
        const [from = '', to = '', status = '', ...more] = line.split(/\s+/);
        expect(more).toEqual([]);
        rules.set(from, `${status} ${to}`);
      }
      for (const { code, shortLink, destination, status } of redirects) {
        const folder = new URL(shortLink).pathname.slice(0, -code.length);
        const expected = status === 'active' ? `302 ${locationHeader(destination)}` : '410 /';
        for (const spelling of [code, code.toUpperCase(), `${code}/`])
          expect(rules.get(folder + spelling)).toBe(expected);
      }
    }),
    { numRuns: 15 },
  );
});

test.each([
  [
    'a dense link in both spellings',
    redirect('7h3k9m2x', { shortLink: 'HTTPS://QR.EXAMPLE.COM/7H3K9M2X', name: 'Dense' }),
    ['/7h3k9m2x', '/7h3k9m2x/', '/7H3K9M2X', '/7H3K9M2X/'],
  ],
  [
    'an imported link with its case',
    redirect('Menü/7', { shortLink: 'https://qr.example.com/Men%C3%BC/7' }),
    ['/Men%C3%BC/7', '/Men%C3%BC/7/'],
  ],
  [
    'a path that its owner chose',
    redirect('Menü/7', { shortLink: 'https://qr.example.com/q/Men%C3%BC/7', path: 'über uns' }),
    ['/q/Men%C3%BC/7', '/q/Men%C3%BC/7/', '/q/%C3%BCber%20uns', '/q/%C3%BCber%20uns/'],
  ],
])('_redirects has %s, with and without a slash at the end', async (_, link, paths) => {
  expect((await exported(netlify, prefixes, [link])).slice(1)).toEqual(
    paths.map((path) => `${path} https://example.org/ 302\n`),
  );
});

test('_redirects says what its lines cannot', async () => {
  const link = redirect('7h3k9m2x', { path: '//go.brand.example/menu', query: 'on' });
  const domains = [{ url: 'https://go.brand.example', frontUrl: null, notFoundUrl: null }];
  const lines = (await exported(netlify, prefixes, [link], { domains })).join('').split('\n');
  expect(lines.filter((line) => line.startsWith('#')).slice(1)).toEqual([
    expect.stringContaining('--domain'),
    expect.stringContaining('query'),
  ]);
  expect(lines).toContain('/menu https://example.org/ 302');
});

test.each([
  [prefixes, 'qr.example.com example.com'],
  [[], '_'],
])('nginx serves only the hosts of %j', async (known, hosts) => {
  expect((await exported(nginx, known, [])).join('')).toContain(`\n    server_name ${hosts};\n`);
});
