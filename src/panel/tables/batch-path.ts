import type { Batch } from '../../core/batches/batch.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import type { PanelDeps } from '../request/deps.ts';
import type { SignedInContext } from '../request/request.ts';
import { pageNotFound } from '../routing/errors.tsx';
import type { CrumbProps } from '../ui/cards.tsx';

/** Returns the pages above that of a batch. */
export function batchCrumbs({ common, tables }: Texts): CrumbProps['above'] {
  return [
    ['/account/codes', common.codes],
    ['/account/batches', tables.createMany],
  ];
}

/** Returns the path of a batch's page. */
export function batchPath(id: number): string {
  return `/account/batches/${id}`;
}

/** Returns the path of the page that asks what is in the columns of a draft's table. */
export function columnsPath(id: number): string {
  return `${batchPath(id)}/columns`;
}

/** Returns the name of the file that a batch was read from; null for a pasted table. */
export function fileOf({ notices }: Batch): string | null {
  for (const notice of notices) if (notice.kind === 'read from a file') return notice.name;
  return null;
}

/** Returns the batch of a path. @throws ApiError not_found */
export async function findBatch(
  batches: PanelDeps['batches'],
  { accountId, params: { id = '' } }: Pick<SignedInContext, 'accountId' | 'params'>,
): Promise<Batch> {
  if (!/^\d{1,15}$/.test(id)) throw pageNotFound();
  return batches.find(accountId, Number(id));
}
