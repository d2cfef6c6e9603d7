import { parseCodeOrPath } from '../../../core/codes/code.ts';
import type { Qr } from '../../../core/codes/qr.ts';
import type { HourSums } from '../../../core/scans/days.ts';
import type { PanelDeps } from '../../request/deps.ts';
import type { SignedInContext } from '../../request/request.ts';
import { pageNotFound } from '../../routing/errors.tsx';
import { titleOf } from '../code-label.tsx';
import type { ChartPeriod } from '../scans/chart-period.tsx';

/** What is compared: a code, or the codes of a folder, null for those in none. */
export type ComparedKey = { readonly code: string } | { readonly folder: string | null };

/** Something that is compared, with its scans. */
export interface Compared {
  readonly subject: ComparedKey;
  readonly name: string;
  /** Null for a folder. */
  readonly qr: Qr | null;
  /** Number of its codes. */
  readonly codes: number;
  readonly sums: HourSums;
}

/** A chart has a row for each. */
export const maxCompared = 5;
export const minCompared = 2;

const folderPrefix = 'in:';

/**
 * Reads what is compared from the query of a page, each once, in its order.
 * Its parts are `code`, and `folder` with `none`, or `in:` and a name.
 *
 * @throws PanelError 404 for another value of `folder`
 */
export function readCompared({ searchParams }: URL): ComparedKey[] {
  const keys = new Map<string, ComparedKey>();
  for (const [name, value] of searchParams)
    if (name === 'code') keys.set(`code ${value}`, { code: value });
    else if (name === 'folder') {
      if (value !== 'none' && !(value.startsWith(folderPrefix) && value !== folderPrefix))
        throw pageNotFound();
      const folder = value === 'none' ? null : value.slice(folderPrefix.length);
      keys.set(`folder ${value}`, { folder });
    }
  return [...keys.values()];
}

/** Returns the path of a page of a comparison with its query. */
export function comparePath(
  keys: readonly ComparedKey[],
  more: Readonly<Record<string, string>> = {},
  page: '' | '.csv' | '/add' = '',
): string {
  const fields = keys.map((key) =>
    'code' in key
      ? ['code', key.code]
      : ['folder', key.folder === null ? 'none' : `${folderPrefix}${key.folder}`],
  );
  return `/account/compare${page}?${new URLSearchParams([...fields, ...Object.entries(more)])}`;
}

/** Returns the fields of a period for the query of another page. */
export function periodFields({ length, range }: ChartPeriod): Readonly<Record<string, string>> {
  return length === null
    ? { since: String(range.first), until: String(range.last) }
    : { days: String(length) };
}

/**
 * Reads the scans of what is compared.
 * Null while those of a folder of many codes are counted.
 *
 * @throws PanelError 404 for an unknown folder
 * @throws ApiError not_found for an unknown code
 */
export async function readComparedScans(
  { qrs, lists, insights, overviews }: Pick<PanelDeps, 'qrs' | 'lists' | 'insights' | 'overviews'>,
  { accountId, zone, texts }: SignedInContext,
  keys: readonly ComparedKey[],
  { range, length }: ChartPeriod,
): Promise<Compared[] | null> {
  const compared: Compared[] = [];
  let isCounting = false;
  for (const key of keys)
    if ('code' in key) {
      const qr = await qrs.get(accountId, parseCodeOrPath(key.code));
      const sums = await insights.hours(qr, range, zone);
      compared.push({ subject: key, name: titleOf(qr), qr, codes: 1, sums });
    } else {
      const { folder } = key;
      if (folder !== null && !(await lists.hasFolder(accountId, folder))) throw pageNotFound();
      const overview = await overviews.of({ accountId, folder }, length ?? range, zone);
      const name = folder ?? texts.folders.none;
      if (overview === null) isCounting = true;
      else
        compared.push({ subject: key, name, qr: null, codes: overview.codes, sums: overview.sums });
    }
  return isCounting ? null : compared;
}
