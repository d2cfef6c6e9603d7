/** @jsxImportSource preact */

import type { ComponentChildren } from 'preact';
import {
  type Batch,
  type BatchRowFilter,
  type BatchRowOutcome,
  decidedRows,
  maxBatchRows,
} from '../../core/batches/batch.ts';
import { refusedCsv } from '../../core/batches/batches.ts';
import { formatCount, formatNumber } from '../../lib/numbers.ts';
import { codePath } from '../codes/code-label.tsx';
import { selectionValues } from '../codes/selection.ts';
import type { PanelDeps } from '../request/deps.ts';
import { csvType, fileResponse } from '../routing/downloads.ts';
import { pageNotFound } from '../routing/errors.tsx';
import { page, redirectTo, reloading } from '../routing/responses.tsx';
import { editor, type Route, viewer } from '../routing/route.ts';
import { Crumb, ListCard } from '../ui/cards.tsx';
import { Notice, PageHead, Time } from '../ui/components.tsx';
import { formatDateTime } from '../ui/formatting.ts';
import { ButtonLink, Link, PostButton } from '../ui/page-context.tsx';
import { panelSentence } from '../ui/sentences/sentences.ts';
import { batchCrumbs, batchPath, findBatch } from './batch-path.ts';
import { showDraft } from './draft.tsx';
import { RowTable } from './row-table.tsx';

const reloadSeconds = 2;
const pageRows = 200;
const filters = ['all', 'refused', 'created', 'pending'] as const satisfies BatchRowFilter[];

/** Creates the routes of one batch. */
export function batchRoutes(deps: PanelDeps): Route[] {
  const { batches } = deps;
  return [
    viewer.get('/account/batches/:id', async (context) => {
      const batch = await findBatch(batches, context);
      if (batch.state === 'draft') return showDraft(deps, context);
      const { url, accountId } = context;
      const show = url.searchParams.get('show') ?? 'all';
      const filter = filters.find((one) => one === show);
      const after = url.searchParams.get('after') ?? '0';
      if (filter === undefined || !/^\d{1,15}$/.test(after)) throw pageNotFound();
      const afterRow = Number(after);
      const options = { filter, afterRow, limit: pageRows + 1 };
      const rows = await batches.rows(accountId, batch.id, options);
      if (afterRow > 0 && rows.length === 0) throw pageNotFound();
      const response = page(
        context,
        titles[batch.state],
        <>
          <Crumb above={batchCrumbs} />
          <PageHead
            title={titles[batch.state]}
            beside={
              <span class="soft">
                <Time ms={batch.createdAtMs} format={formatDateTime} />
              </span>
            }
          />
          <BatchState batch={batch} />
          {batch.state !== 'running' && <Rows batch={batch} rows={rows} filter={filter} />}
        </>,
      );
      return batch.state === 'running' ? reloading(response, reloadSeconds) : response;
    }),
    viewer.get('/account/batches/:id/refused.csv', async (context) => {
      const { id } = await findBatch(batches, context);
      const options = { filter: 'refused', afterRow: 0, limit: maxBatchRows } as const;
      const rows = await batches.rows(context.accountId, id, options);
      return fileResponse(refusedCsv(rows, panelSentence), csvType, `refused-rows-${id}.csv`);
    }),
    editor.post('/account/batches/:id/stop', async (context) => {
      const batch = await findBatch(batches, context);
      if (batch.state === 'running') await batches.stop(context.acting, batch.id);
      return redirectTo(context, batchPath(batch.id));
    }),
  ];
}

const titles = {
  draft: 'Check your table',
  running: 'Creating codes',
  done: 'Codes created',
  stopped: 'Stopped',
} as const satisfies Record<Batch['state'], string>;

/** What has become of a batch, and what can be done with its codes. */
function BatchState({ batch }: { batch: Batch }) {
  const { id, state, problem, rows, refused, existing, leftOut, created } = batch;
  const selection = selectionValues({ batch: id, list: '/account/codes' });
  return (
    <>
      {state === 'stopped' && problem !== null && (
        <Notice kind="warn" title="Not all codes were created">
          {panelSentence(problem)}
        </Notice>
      )}
      <section class="card pad stack tight">
        {state === 'running' && (
          <label class="stack tight">
            {formatNumber(decidedRows(batch))} of {formatCount(rows, 'row')}
            <progress value={decidedRows(batch)} max={rows} />
            <span class="hint">You can close this page: the server continues.</span>
          </label>
        )}
        <p>
          <b>{formatCount(created, 'code')} created</b>
          {refused > 0 && `, ${formatCount(refused, 'row')} refused`}
          {existing > 0 && `, ${formatCount(existing, 'row')} left out because the code exists`}
          {leftOut > 0 && `, ${formatCount(leftOut, 'row')} left out by you`}
        </p>
        <div class="row">
          {created > 0 && state !== 'running' && (
            <>
              <PostButton to="/account/print" values={selection} icon="print">
                Print sheet
              </PostButton>
              <PostButton
                to="/account/selection/images.zip"
                values={{ ...selection, format: 'svg' }}
                class="button"
                icon="download"
              >
                Download images (ZIP)
              </PostButton>
              <PostButton to="/account/selection" values={selection} class="button">
                More…
              </PostButton>
            </>
          )}
          {state === 'running' && (
            <PostButton to={`${batchPath(id)}/stop`} class="button danger">
              Stop
            </PostButton>
          )}
        </div>
      </section>
    </>
  );
}

interface RowsProps {
  readonly batch: Batch;
  /** One more than a page shows, if there are more. */
  readonly rows: readonly BatchRowOutcome[];
  readonly filter: BatchRowFilter;
}

function Rows({ batch, rows, filter }: RowsProps) {
  const shown = rows.slice(0, pageRows);
  const last = rows.length > pageRows ? shown.at(-1) : undefined;
  return (
    <ListCard
      title="Rows"
      beside={
        batch.refused > 0 && (
          <nav class="segmented" aria-label="Shown rows">
            {(['all', 'refused'] as const).map((one) => (
              <Link
                key={one}
                to={`${batchPath(batch.id)}?show=${one}`}
                aria-current={one === filter ? 'true' : undefined}
              >
                {one === 'all'
                  ? `All ${formatNumber(batch.rows)}`
                  : `Refused ${formatNumber(batch.refused)}`}
              </Link>
            ))}
          </nav>
        )
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards scroll it (axe, scrollable-region-focusable) */}
      <section class="scroll" tabIndex={0} aria-label="Rows of the table">
        <RowTable rows={shown} outcome={outcomeOf} />
      </section>
      {(batch.refused > 0 || last !== undefined) && (
        <div class="pages">
          {batch.refused > 0 && (
            <ButtonLink to={`${batchPath(batch.id)}/refused.csv`} download>
              Download the refused rows (CSV)
            </ButtonLink>
          )}
          {last !== undefined && (
            <ButtonLink to={`${batchPath(batch.id)}?show=${filter}&after=${last.row}`}>
              More rows
            </ButtonLink>
          )}
        </div>
      )}
    </ListCard>
  );
}

function outcomeOf({ problem, code }: BatchRowOutcome): ComponentChildren {
  if (code !== null) return <Link to={codePath(code)}>{code}</Link>;
  return <span class="soft">{problem === null ? 'Not created.' : panelSentence(problem)}</span>;
}
