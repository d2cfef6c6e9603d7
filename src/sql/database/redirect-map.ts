import { mapLabels } from '../../core/codes/fields.ts';
import type { QrStatus } from '../../core/codes/qr.ts';
import type { StoredRedirect, StoredRedirects } from '../../core/storage.ts';
import { type Queries, type RunQueries, usedShortUrlPrefixes } from './startup-queries.ts';

const codesPerRead = 5000;

/**
 * Reads the codes of all accounts, or of one, for an export, with bounded memory.
 *
 * @param run runs queries in one state of the database
 */
export async function readRedirectMap(
  run: RunQueries,
  accountId: number | null,
): Promise<StoredRedirects> {
  const own = accountId === null ? 'true' : `account_id = ${accountId}`;
  const prefixes = await run(usedShortUrlPrefixes());
  return {
    // Dense links are in upper case. Their prefix is the same.
    prefixes: [...new Set(prefixes.map((prefix) => prefix.toLowerCase()))],
    codes: await run(countOf(own)),
    active: await run(countOf(`status = 'active' AND ${own}`)),
    missing: null,
    redirects: async function* () {
      let lastCode = '';
      for (;;) {
        const codes = await run(codesAfter(lastCode, own));
        yield* codes;
        const last = codes.at(-1);
        if (last === undefined) return;
        lastCode = last.code;
      }
    },
  };
}

function* countOf(condition: string): Queries<number> {
  const [row] = yield [`SELECT count(*) AS codes FROM qrs WHERE ${condition}`, []];
  return Number(row?.['codes']);
}

/** Reads codes in their order. The schema of an earlier version lacks some columns. */
function* codesAfter(last: string, own: string): Queries<StoredRedirect[]> {
  const rows = yield [
    `SELECT * FROM qrs WHERE code > $1 AND ${own} ORDER BY code LIMIT ${codesPerRead}`,
    [last],
  ];
  return rows.map((row) => {
    const label = row as Readonly<Record<string, string | null | undefined>>; // text columns
    return {
      ...mapLabels((name) => label[name] ?? null),
      code: String(row['code']),
      shortLink: String(row['short_link']),
      destination: String(row['destination']),
      status: row['status'] as QrStatus, // all that the column may have
      isArchived: Boolean(row['archived']),
    };
  });
}
