/** @jsxImportSource preact */
import { hasActivePlan } from '../../core/accounts/account.ts';
import { type Batch, maxBatchRows } from '../../core/batches/batch.ts';
import { maxTableBytes } from '../../core/batches/table.ts';
import { labelNames } from '../../core/codes/fields.ts';
import type { SavedDesign } from '../../core/designs/ports.ts';
import { formatCount, formatNumber } from '../../lib/numbers.ts';
import type { PanelDeps } from '../deps.ts';
import { designField } from '../designs/design-choice.ts';
import type { SignedInContext } from '../request/request.ts';
import { page, redirectTo } from '../routing/responses.tsx';
import { type Route, signedIn } from '../routing/route.ts';
import { Time } from '../ui/components.tsx';
import { areaField, checkField, fileField } from '../ui/fields.tsx';
import { FormView } from '../ui/form.tsx';
import { formatDateTime } from '../ui/formatting.ts';
import { Link } from '../ui/page-context.tsx';
import { batchPath } from './batch.tsx';

const shownBatches = 20;

const tableForm = (designs: readonly SavedDesign[]) => ({
  table: areaField({
    label: 'Paste a table',
    hint: `Columns: destination, ${labelNames.join(', ')}. Copy them from a spreadsheet, or write one address per line. Up to ${formatNumber(maxBatchRows)} rows.`,
    parse: (text) => text,
    // A page that repeats megabytes would be slow to read and to write.
    maxShownLength: 200_000,
    placeholder: 'name\tdestination\nTable 7\thttps://example.com/menu?table=7',
    rows: 8,
    spellcheck: false,
    autocomplete: 'off',
  }),
  file: fileField({
    label: 'Or choose a file',
    hint: `Excel (.xlsx), OpenDocument (.ods), CSV or TSV, up to ${maxTableBytes / 1_000_000} MB. It is used instead of the pasted table.`,
    accept: '.xlsx,.ods,.csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain',
    parse: (bytes) => bytes,
  }),
  design: designField(designs),
  again: checkField('Also create codes that exist already with the same name and destination'),
});

/** Creates the routes with which account holders create many codes from a table. */
export function batchesRoutes({ batches, savedDesigns }: PanelDeps): Route[] {
  const show = async (context: SignedInContext) => {
    const { account } = context.session;
    const [designs, list] = await Promise.all([
      savedDesigns.list(account.id),
      batches.list(account.id, shownBatches),
    ]);
    return page(
      context,
      'Create many codes',
      <>
        <h1>Create many codes</h1>
        <p class="intro">
          From a table with one code per row. You see what is wrong with each row before anything is
          created.
        </p>
        {hasActivePlan(account, context.nowMs) && (
          <section class="card pad stack tight">
            <FormView
              form={tableForm(designs)}
              to="/account/batches"
              class="stack"
              enctype="multipart/form-data"
            >
              <button type="submit" class="button primary">
                Check the table
              </button>
            </FormView>
          </section>
        )}
        <BatchList batches={list} />
      </>,
    );
  };

  return [
    signedIn.get('/account/batches', show),
    signedIn.submit(
      '/account/batches',
      {
        form: async ({ session }) => tableForm(await savedDesigns.list(session.account.id)),
        page: show,
        // A table and the other fields of its form.
        maxBytes: maxTableBytes + 64 * 1024,
        needsPlan: true,
        waitsFor: 'Checking the table',
      },
      async (context, { table, file, design, again }) => {
        const { account } = context.session;
        const checked = await batches.check(account.id, file ?? table, {
          designId: design,
          again,
        });
        return redirectTo(context, batchPath(await batches.saveDraft(account.id, checked)));
      },
    ),
  ];
}

function BatchList({ batches }: { batches: readonly Batch[] }) {
  return (
    <section class="card pad stack tight">
      <h2>Latest batches</h2>
      {batches.length === 0 ? (
        <p class="hint">None yet. A table that you check appears here.</p>
      ) : (
        <ul class="list">
          {batches.map((batch) => (
            <li key={batch.id}>
              <Link to={batchPath(batch.id)}>
                <Time ms={batch.createdAtMs} format={formatDateTime} />
              </Link>
              <span class="hint">{describeBatch(batch)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function describeBatch({ state, rows, created }: Batch): string {
  const all = formatCount(rows, 'row');
  const made = `${formatNumber(created)} of ${formatCount(rows, 'code')}`;
  return {
    draft: `${all} checked, nothing created yet`,
    running: `${made} created so far`,
    done: `${made} created`,
    stopped: `stopped after ${made}`,
  }[state];
}
