/** @jsxImportSource preact */
import type { Batch, BatchRowOutcome } from '../../core/batches/batch.ts';
import { ListCard } from '../ui/cards.tsx';
import { formatUrl } from '../ui/formatting.ts';
import { ButtonLink, useHasActivePlan, useTexts } from '../ui/page-context.tsx';
import { panelSentence } from '../ui/sentences/sentences.ts';
import { batchPath } from './batch-path.ts';

interface LeftOutProps {
  readonly batch: Batch;
  /** The first rows without a code. */
  readonly rows: readonly BatchRowOutcome[];
}

/** The rows without a code, and why. Each can be created as a single code. */
export function LeftOutRows({ batch, rows }: LeftOutProps) {
  const { refused, leftOut } = batch;
  const count = refused + leftOut;
  const t = useTexts();
  const canCreate = useHasActivePlan();
  if (count === 0) return null;
  return (
    <ListCard
      title={t.batch.rowsLeftOut({ rows: count })}
      beside={<span class="small soft">{t.batch.noCodeForThem({ rows: count })}</span>}
    >
      <ul class="list">
        {rows.map((row) => (
          <li key={row.row}>
            <div>
              <b>
                {t.tables.rowNumber(row)}
                {row.name !== null && [' · ', <bdi key="name">{row.name}</bdi>]}
              </b>
              <span class="small soft">
                {row.problem === null ? t.batch.notCreated : panelSentence(row.problem, t)}
                {row.destination !== '' && [' ', <bdi key="url">{formatUrl(row.destination)}</bdi>]}
              </span>
            </div>
            {canCreate && (
              <ButtonLink class="button small" to={newCodePath(batch, row)} data-dialog>
                {t.batch.createNow}
              </ButtonLink>
            )}
          </li>
        ))}
      </ul>
      {(refused > 0 || count > rows.length) && (
        <div class="pages">
          {count > rows.length && (
            <span class="small soft">{t.tables.firstRowsShown({ rows: rows.length })}</span>
          )}
          {refused > 0 && (
            <ButtonLink to={`${batchPath(batch.id)}/refused.csv`} download>
              {t.batch.downloadRefused}
            </ButtonLink>
          )}
        </div>
      )}
    </ListCard>
  );
}

/** Maximum length of a destination in a link, in characters: a longer one is no destination. */
const maxUrlLength = 2048;

/** Returns the path of the form of a new code with the texts of a row. */
function newCodePath({ id }: Batch, { destination, name, folder }: BatchRowOutcome): string {
  const texts = { url: destination.slice(0, maxUrlLength), name, folder, list: batchPath(id) };
  const given = Object.entries(texts).flatMap(([key, value]) =>
    value === null || value === '' ? [] : [[key, value]],
  );
  return `/account/new?${new URLSearchParams(given)}`;
}
