/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import {
  type Batch,
  type BatchRowFilter,
  type BatchRowOutcome,
  maxBatchRows,
} from '../../core/batches/batch.ts';
import { refusedCsv } from '../../core/batches/batches.ts';
import { labelFields, labelNames } from '../../core/codes/fields.ts';
import type { ReadabilityResult } from '../../core/designs/design.ts';
import { formatCount, formatNumber, wholeNumber } from '../../lib/numbers.ts';
import { codePath } from '../codes/code-label.tsx';
import { contentDisposition } from '../codes/downloads.ts';
import { SelectionButton } from '../codes/selection.tsx';
import type { PanelDeps } from '../deps.ts';
import type { SignedInContext } from '../request/request.ts';
import { pageNotFound } from '../routing/errors.tsx';
import { page, redirectTo, reloading } from '../routing/responses.tsx';
import { type Route, signedIn } from '../routing/route.ts';
import { Notice, Time } from '../ui/components.tsx';
import { escapeBidiMarks, formatDateTime } from '../ui/formatting.ts';
import { Link, PostButton } from '../ui/page-context.tsx';

const reloadSeconds = 2;
const pageRows = 200;
const rowRange = { default: 0, min: 0, max: Number.MAX_SAFE_INTEGER };
const filters = ['all', 'refused', 'created', 'pending'] as const satisfies BatchRowFilter[];

/** Returns the path of a batch's page. */
export function batchPath(id: number): string {
  return `/account/batches/${id}`;
}

/** Creates the routes of one batch. */
export function batchRoutes({ batches }: PanelDeps): Route[] {
  const findBatch = ({ session, params: { id = '' } }: SignedInContext): Promise<Batch> => {
    if (!/^\d{1,15}$/.test(id)) throw pageNotFound();
    return batches.find(session.account.id, Number(id));
  };

  return [
    signedIn.get('/account/batches/:id', async (context) => {
      const batch = await findBatch(context);
      const { url, session } = context;
      const filter = filters.find((one) => one === url.searchParams.get('show')) ?? 'all';
      const afterRow = wholeNumber(url.search, 'after', rowRange);
      const options = { filter, afterRow, limit: pageRows + 1 };
      const rows = await batches.rows(session.account.id, batch.id, options);
      const readability = batch.state === 'draft' ? await batches.readability(batch) : null;
      const response = page(
        context,
        titles[batch.state],
        <>
          <h1>{titles[batch.state]}</h1>
          <p class="intro">
            Table of <Time ms={batch.createdAtMs} format={formatDateTime} />.{' '}
            <Link to="/account/batches">All batches</Link>
          </p>
          <BatchState batch={batch} readability={readability} />
          {batch.state !== 'running' && <Rows batch={batch} rows={rows} filter={filter} />}
        </>,
      );
      return batch.state === 'running' ? reloading(response, reloadSeconds) : response;
    }),
    signedIn.get('/account/batches/:id/refused.csv', async (context) => {
      const { session } = context;
      const { id } = await findBatch(context);
      const options = { filter: 'refused', afterRow: 0, limit: maxBatchRows } as const;
      const rows = await batches.rows(session.account.id, id, options);
      return new Response(refusedCsv(rows), {
        headers: {
          'Content-Type': 'text/csv; charset=utf-8; header=present',
          'Content-Disposition': contentDisposition('attachment', `refused-rows-${id}.csv`),
        },
      });
    }),
    signedIn.post(
      '/account/batches/:id/start',
      async (context, form) => {
        const batch = await findBatch(context);
        // Sending the form twice starts the batch once.
        if (batch.state === 'draft')
          await batches.start(context.session.account.id, batch.id, form.text('only') === 'good');
        return redirectTo(context, batchPath(batch.id));
      },
      { needsPlan: true },
    ),
    signedIn.post('/account/batches/:id/stop', async (context) => {
      const batch = await findBatch(context);
      if (batch.state === 'running') await batches.stop(context.session.account.id, batch.id);
      return redirectTo(context, batchPath(batch.id));
    }),
  ];
}

const titles = {
  draft: 'Check the table',
  running: 'Creating codes',
  done: 'Codes created',
  stopped: 'Stopped',
} as const satisfies Record<Batch['state'], string>;

interface StateProps {
  readonly batch: Batch;
  /** Of a draft. */
  readonly readability: ReadabilityResult | null;
}

/** What has become of a batch, and what can be done. */
function BatchState({ batch, readability }: StateProps) {
  if (readability !== null) return <Draft batch={batch} readability={readability} />;
  const { id, state, problem, rows, refused, existing, created } = batch;
  const decided = created + refused + existing;
  return (
    <section class="card pad stack tight">
      {state === 'running' && (
        <label class="stack">
          {formatNumber(decided)} of {formatCount(rows, 'row')}. You can close this page: the server
          goes on.
          <progress value={decided} max={rows} />
        </label>
      )}
      {state === 'stopped' && problem !== null && (
        <Notice kind="warn" title="Not all codes were created">
          {problem}
        </Notice>
      )}
      <p>
        <b>{formatCount(created, 'code')} created</b>
        {refused > 0 && `, ${formatCount(refused, 'row')} left out because of a problem`}
        {existing > 0 && `, ${formatCount(existing, 'row')} left out because the code exists`}
      </p>
      <div class="row">
        {created > 0 && state !== 'running' && (
          <SelectionButton selection={{ batch: id, list: '/account/codes' }}>
            Print or download {created === 1 ? 'it' : 'them'}
          </SelectionButton>
        )}
        {state === 'running' && (
          <PostButton to={`${batchPath(id)}/stop`} class="button danger">
            Stop
          </PostButton>
        )}
      </div>
    </section>
  );
}

function Draft({ batch, readability }: { batch: Batch; readability: ReadabilityResult }) {
  const { id, rows, refused, existing, notices } = batch;
  const good = rows - refused - existing;
  const { isReadable, reasons, advice } = readability;
  return (
    <section class="card pad stack tight">
      <p>
        <b>{formatCount(good, 'code')} can be created.</b>{' '}
        {refused > 0 &&
          `${formatCount(refused, 'row has', 'rows have')} a problem: correct the table and check it again, or leave them out.`}
      </p>
      {existing > 0 && (
        <p>
          {formatCount(existing, 'row has', 'rows have')} the name and destination of{' '}
          {existing === 1 ? 'an existing code and is' : 'existing codes and are'} left out.
        </p>
      )}
      {notices.length > 0 && (
        <ul class="hint">
          {notices.map((notice) => (
            <li key={notice}>{escapeBidiMarks(notice)}</li>
          ))}
        </ul>
      )}
      {isReadable ? (
        <p class="hint">
          Phones can read codes of this design: readability {readability.score} of 100.
        </p>
      ) : (
        <Notice kind="warn" title="Phones may not read codes of this design">
          {[...reasons, advice?.message ?? ''].join(' ')} No codes can be created with it.{' '}
          <Link to="/account/design">Change the design</Link>
        </Notice>
      )}
      <div class="row">
        {isReadable && good > 0 && (
          <PostButton
            to={`${batchPath(id)}/start`}
            {...(refused > 0 && { values: { only: 'good' } })}
          >
            {refused > 0
              ? `Create only the ${formatCount(good, 'good one')}`
              : `Create ${formatCount(good, 'code')}`}
          </PostButton>
        )}
        <Link class="button" to="/account/batches">
          Use another table
        </Link>
      </div>
    </section>
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
    <section class="stack">
      <div class="row between">
        <h2>Rows</h2>
        <nav class="segmented" aria-label="Shown rows">
          <Filter batch={batch} filter="all" current={filter}>
            All {formatNumber(batch.rows)}
          </Filter>
          <Filter batch={batch} filter="refused" current={filter}>
            With a problem {formatNumber(batch.refused)}
          </Filter>
        </nav>
      </div>
      {shown.length === 0 ? (
        <p class="hint">No row has a problem.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboards scroll it (axe, scrollable-region-focusable)
        <section class="scroll" tabIndex={0} aria-label="Rows of the table">
          <table>
            <thead>
              <tr>
                <th scope="col">Row</th>
                <th scope="col">Result</th>
                <th scope="col">Destination</th>
                {labelNames.map((name) => (
                  <th key={name} scope="col">
                    {labelFields[name].label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((row) => (
                <Row key={row.row} row={row} />
              ))}
            </tbody>
          </table>
        </section>
      )}
      {batch.refused > 0 && (
        <Link to={`${batchPath(batch.id)}/refused.csv`} download>
          Download the rows with a problem (CSV)
        </Link>
      )}
      {last !== undefined && (
        <Link to={`${batchPath(batch.id)}?show=${filter}&after=${last.row}`}>More rows</Link>
      )}
    </section>
  );
}

interface FilterProps {
  readonly batch: Batch;
  readonly filter: BatchRowFilter;
  readonly current: BatchRowFilter;
  readonly children: ComponentChildren;
}

function Filter({ batch, filter, current, children }: FilterProps) {
  return (
    <Link
      to={`${batchPath(batch.id)}?show=${filter}`}
      aria-current={filter === current ? 'true' : undefined}
    >
      {children}
    </Link>
  );
}

function Row({ row: { row, destination, problem, code, ...labels } }: { row: BatchRowOutcome }) {
  return (
    <tr>
      <td>{row}</td>
      <td>
        {problem !== null && <span class="error">{problem}</span>}
        {code !== null && <Link to={codePath(code)}>{code}</Link>}
        {problem === null && code === null && <span class="hint">good</span>}
      </td>
      <td>{escapeBidiMarks(destination)}</td>
      {labelNames.map((name) => (
        <td key={name}>{labels[name]}</td>
      ))}
    </tr>
  );
}
