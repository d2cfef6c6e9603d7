/** @jsxImportSource preact */

import { hasActivePlan } from '../../core/accounts/account.ts';
import { includesRole } from '../../core/accounts/people/role.ts';
import { type Batch, isAsked, maxBatchRows } from '../../core/batches/batch.ts';
import { tableOfRows } from '../../core/batches/batches.ts';
import type { BulkEdit } from '../../core/batches/bulk-edit.ts';
import { tableBounds } from '../../core/batches/table.ts';
import type { Texts } from '../../languages/generated/texts.ts';
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
    label: (t) => t.tables.paste,
    hint: (t) => t.tables.pasteHint({ rows: maxBatchRows }),
    parse: (text) => text,
    maxShownLength,
    // The headers are words that tables have in any language of the panel.
    placeholder: (t) =>
      `name\tdestination\n${t.tables.exampleName}\thttps://example.com/menu?table=7`,
    rows: 8,
    spellcheck: false,
  }),
  file: fileField({
    label: (t) => t.tables.chooseFile,
    hint: (t) => t.tables.chooseFileHint({ megabytes: tableBounds.maxBytes / 1_000_000 }),
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
    const { session, accountId, nowMs, texts: t } = context;
    const list = await batches.list(accountId, shownBatches);
    const edit = await bulkEdits.last(accountId);
    const table = await tableOf(context);
    return page(
      context,
      t.tables.createManyCodes,
      <>
        <Crumb above={[['/account/codes', t.common.codes]]}>{t.tables.createMany}</Crumb>
        <PageHead title={t.tables.createManyCodes} text={t.tables.whatHappens} />
        {!includesRole(session.role, 'editor') ? (
          <section class="card pad">
            <p>{t.tables.editorsCreate}</p>
          </section>
        ) : hasActivePlan(session.entered, nowMs) ? (
          <section class="card pad" aria-label={t.tables.table}>
            <FormView
              form={tableForm}
              to="/account/batches"
              values={{ table }}
              class="stack"
              enctype="multipart/form-data"
            >
              <Submit>{t.tables.check}</Submit>
            </FormView>
          </section>
        ) : (
          <section class="card pad">
            <p>{t.tables.planNeeded}</p>
          </section>
        )}
        {(list.length > 0 || edit !== null) && (
          <ListCard title={t.tables.latest}>
            <ul class="list">
              {[
                ...list.map((batch) => batchRow(batch, t)),
                ...(edit === null ? [] : [bulkEditRow(edit, t)]),
              ]
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

function batchRow(batch: Batch, t: Texts): Row {
  const name = fileOf(batch) ?? t.tables.pastedTable;
  return {
    path: batchPath(batch.id),
    name,
    atMs: batch.createdAtMs,
    state: describeBatch(batch, t),
  };
}

function bulkEditRow(edit: BulkEdit, t: Texts): Row {
  return {
    path: bulkEditPath(edit.id),
    name: t.bulkEdit.title,
    atMs: edit.atMs,
    state: describeBulkEdit(edit, t),
  };
}

function describeBatch(batch: Batch, { tables }: Texts): string {
  if (isAsked(batch)) return tables.columnsToChoose;
  switch (batch.state) {
    case 'draft':
      return tables.rowsChecked(batch);
    case 'running':
      return tables.createdSoFar(batch);
    case 'done':
      return tables.created(batch);
    case 'stopped':
      return tables.stoppedAfter(batch);
    default:
      return batch.state satisfies never;
  }
}
