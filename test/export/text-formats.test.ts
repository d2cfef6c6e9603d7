import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { nginx } from '../../src/cli/data/export/nginx.ts';
import { csv } from '../../src/cli/data/export/records.ts';
import { redirects as netlify } from '../../src/cli/data/export/redirects-file.ts';
import { locationHeader } from '../../src/core/codes/urls/destination.ts';
import type { StoredRedirect } from '../../src/core/storage.ts';
import { splitCsvRow, withoutFormulaGuard } from '../../src/lib/csv.ts';
import { noLabels } from '../core/sample-qr.ts';
import { mapOf, oddRedirects } from './odd-map.ts';

const prefixes = ['https://qr.example.com', 'https://example.com/q'] as const;

test('CSV has every value unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(oddRedirects(prefixes), async (redirects) => {
      const rows = (await Array.fromAsync(csv(mapOf(prefixes, redirects)))).slice(1);
      expect(rows.map((row) => splitCsvRow(row.trimEnd(), ',')?.map(withoutFormulaGuard))).toEqual(
        redirects.map(
          ({ code, shortLink, destination, status, name, note, folder, isArchived }) => [
            ...(status === 'active'
              ? [code, shortLink, destination, locationHeader(destination), status, '302']
              : [code, shortLink, destination, '', status, '410']),
            name ?? '',
            note ?? '',
            folder ?? '',
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
      const text = (await Array.fromAsync(netlify(mapOf(prefixes, redirects)))).join('');
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

test('_redirects has both spellings of a code from a dense link', async () => {
  const dense: StoredRedirect = {
    code: '7h3k9m2x',
    shortLink: 'HTTPS://QR.EXAMPLE.COM/7H3K9M2X',
    destination: 'https://example.org/',
    status: 'active',
    ...noLabels,
    isArchived: false,
    name: 'Dense',
  };
  expect((await Array.fromAsync(netlify(mapOf(prefixes, [dense])))).slice(1)).toEqual([
    '/7h3k9m2x https://example.org/ 302\n',
    '/7h3k9m2x/ https://example.org/ 302\n',
    '/7H3K9M2X https://example.org/ 302\n',
    '/7H3K9M2X/ https://example.org/ 302\n',
  ]);
});

test.each([
  [prefixes, 'qr.example.com example.com'],
  [[], '_'],
])('nginx serves only the hosts of %j', async (known, hosts) => {
  expect((await Array.fromAsync(nginx(mapOf(known, [])))).join('')).toContain(
    `\n    server_name ${hosts};\n`,
  );
});

test('_redirects has an imported link with its case, with and without a slash at the end', async () => {
  const imported: StoredRedirect = {
    code: 'Men\u00fc/7',
    shortLink: 'https://qr.example.com/Men%C3%BC/7',
    destination: 'https://example.org/',
    status: 'active',
    ...noLabels,
    isArchived: false,
  };
  expect((await Array.fromAsync(netlify(mapOf(prefixes, [imported])))).slice(1)).toEqual([
    '/Men%C3%BC/7 https://example.org/ 302\n',
    '/Men%C3%BC/7/ https://example.org/ 302\n',
  ]);
});
