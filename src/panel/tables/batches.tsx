/** @jsxImportSource preact */

import { hasActivePlan } from '../../core/accounts/account.ts';
import { includesRole } from '../../core/accounts/people/role.ts';
import { type Batch, isAsked, maxBatchRows } from '../../core/batches/batch.ts';
import { tableOfRows } from '../../core/batches/batches.ts';
import type { BulkEdit } from '../../core/batches/bulk-edit.ts';
import { tableBounds } from '../../core/batches/table.ts';
import { formatCount, formatNumber } from '../../lib/numbers.ts';
import type { PanelDeps } from '../request/deps.ts';
import type { SignedInContext } from '../request/request.ts';
import { page, redirectTo } from '../routing/responses.tsx';
import { editor, type Route, viewer } from '../routing/route.ts';
import { bulkEditPath, describeBulkEdit } from '../selection/bulk-edit-page.tsx';
import { Crumb, ListCard } from '../ui/cards.tsx';
import { PageHead, Time } from '../ui/components.tsx';
import { areaField, fileField } from '../ui/fields.tsx';
import { FormView } from '../ui/form.tsx';
import { formatDateTime } from '../ui/formatting.ts';
import { Link, Submit } from '../ui/page-context.tsx';
import { batchPath, columnsPath, fileOf, findBatch } from './batch-path.ts';
import { browserLanguages } from './column-answers.ts';

const shownBatches = 20;

// A page that repeats megabytes would be slow to read and to write.
const maxShownLength = 200_000;

const tableForm = {
  table: areaField({
    label: 'Paste a table',
    hint: `Copy it from a spreadsheet, or write one address per line. The next page asks what is in its columns. Up to ${formatNumber(maxBatchRows)} rows.`,
    parse: (text) => text,
    maxShownLength,
    placeholder: 'name\tdestination\nTable 7\thttps://example.com/menu?table=7',
    rows: 8,
    spellcheck: false,
  }),
  file: fileField({
    label: 'Or choose a file',
    hint: `Excel (.xlsx), OpenDocument (.ods), CSV or TSV, up to ${tableBounds.maxBytes / 1_000_000} MB. It is used instead of the pasted table.`,
    accept: '.xlsx,.ods,.csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain',
    maxBytes: tableBounds.maxBytes,
    parse: (bytes) => bytes,
  }),
};

/** Creates the routes with which account holders create many codes from a table. */
export function batchesRoutes({ batches, bulkEdits }: PanelDeps): Route[] {
  /** Returns the rows of a draft as a table, so that they are there when another table is wanted. */
  const tableOf = async ({ accountId, url }: SignedInContext): Promise<string> => {
    const of = url.searchParams.get('of') ?? '';
    if (of === '') return '';
    const { id } = await findBatch(batches, { accountId, params: { id: of } });
    const options = { filter: 'all', afterRow: 0, limit: maxBatchRows } as const;
    const table = tableOfRows(await batches.rows(accountId, id, options));
    return table.length > maxShownLength ? '' : table;
  };
  const show = async (context: SignedInContext) => {
    const { session, accountId, nowMs } = context;
    const list = await batches.list(accountId, shownBatches);
    const edit = await bulkEdits.last(accountId);
    const table = await tableOf(context);
    return page(
      context,
      'Create many codes',
      <>
        <Crumb above={[['/account/codes', 'Codes']]}>Create many</Crumb>
        <PageHead
          title="Create many codes"
          text="From a table with one code per row. You see what is wrong with each row, and can correct it, before anything is created."
        />
        {!includesRole(session.role, 'editor') ? (
          <section class="card pad">
            <p>Editors of this account create codes. You can look at the tables.</p>
          </section>
        ) : hasActivePlan(session.entered, nowMs) ? (
          <section class="card pad" aria-label="Table">
            <FormView
              form={tableForm}
              to="/account/batches"
              values={{ table }}
              class="stack"
              enctype="multipart/form-data"
            >
              <Submit>Check the table</Submit>
            </FormView>
          </section>
        ) : (
          <section class="card pad">
            <p>You can create codes once this account has an active plan.</p>
          </section>
        )}
        {(list.length > 0 || edit !== null) && (
          <ListCard title="Latest tables and bulk edits">
            <ul class="list">
              {[...list.map(batchRow), ...(edit === null ? [] : [bulkEditRow(edit)])]
                .toSorted((one, other) => other.atMs - one.atMs)
                .map(({ path, name, atMs, state }) => (
                  <li key={path}>
                    <div>
                      <Link to={path}>
                        <bdi>{name}</bdi>
                      </Link>
                      <span class="small soft">
                        <Time ms={atMs} format={formatDateTime} /> · {state}
                      </span>
                    </div>
                  </li>
                ))}
            </ul>
          </ListCard>
        )}
      </>,
    );
  };

  return [
    viewer.get('/account/batches', show),
    editor.submit(
      '/account/batches',
      {
        form: tableForm,
        page: show,
        // A table and the other fields of its form.
        maxBytes: tableBounds.maxBytes + 64 * 1024,
        needsPlan: true,
      },
      async (context, { table, file }, typed) => {
        const opened = await batches.open(context.acting, file ?? new TextEncoder().encode(table), {
          fileName: file === null ? undefined : typed.fileName('file'),
          languages: browserLanguages(context.request),
        });
        return redirectTo(context, (opened.isOpen ? columnsPath : batchPath)(opened.id));
      },
    ),
  ];
}

/** What the list says about a table or a bulk edit. */
interface Row {
  readonly path: string;
  readonly name: string;
  readonly atMs: number;
  readonly state: string;
}

function batchRow(batch: Batch): Row {
  const name = fileOf(batch) ?? 'Pasted table';
  return {
    path: batchPath(batch.id),
    name,
    atMs: batch.createdAtMs,
    state: describeBatch(batch),
  };
}

function bulkEditRow(edit: BulkEdit): Row {
  return {
    path: bulkEditPath(edit.id),
    name: 'Bulk edit',
    atMs: edit.atMs,
    state: describeBulkEdit(edit),
  };
}

function describeBatch(batch: Batch): string {
  const { state, rows, created } = batch;
  if (isAsked(batch)) return 'columns to choose, nothing created yet';
  const all = formatCount(rows, 'row');
  const made = `${formatNumber(created)} of ${formatCount(rows, 'code')}`;
  return {
    draft: `${all} checked, nothing created yet`,
    running: `${made} created so far`,
    done: `${made} created`,
    stopped: `stopped after ${made}`,
  }[state];
}
