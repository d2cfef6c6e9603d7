/** @jsxImportSource preact */
import { hasActivePlan, requireActivePlan } from '../../core/accounts/account.ts';
import { type Batch, maxBatchRows } from '../../core/batches/batch.ts';
import { maxTableBytes } from '../../core/batches/table.ts';
import { InvalidInput } from '../../core/errors.ts';
import type { SavedDesign } from '../../core/ports.ts';
import type { PanelDeps } from '../deps.ts';
import { DesignChoice, readDesignChoice } from '../designs/design-choice.tsx';
import type { FormFields } from '../routing/forms.ts';
import type { SignedInContext } from '../routing/request.ts';
import { page, redirectTo } from '../routing/responses.tsx';
import { type Route, signedIn } from '../routing/route.ts';
import { respondPatiently } from '../routing/slow.tsx';
import { Time } from '../ui/components.tsx';
import { Field, TextArea } from '../ui/fields.tsx';
import { formatCount, formatDateTime, formatNumber } from '../ui/formatting.ts';
import { Form, Link } from '../ui/page-context.tsx';
import { batchPath } from './batch.tsx';

const shownBatches = 20;
// A table and the other fields of its form.
const maxFormBytes = maxTableBytes + 64 * 1024;

// A page that repeats megabytes would be slow to read and to write.
const maxRepeatedLength = 200_000;

/** A table that was rejected. */
interface RejectedTable {
  readonly table: string;
  readonly design: string;
  readonly problem: string;
}

/** Creates the routes with which account holders create many codes from a table. */
export function batchesRoutes({ batches, savedDesigns }: PanelDeps): Route[] {
  const show = async (context: SignedInContext, rejected: RejectedTable | null) => {
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
        <p class="lead">
          From a table with one code per row. You see what is wrong with each row before anything is
          created.
        </p>
        {hasActivePlan(account, context.nowMs) && (
          <TableForm designs={designs} rejected={rejected} />
        )}
        <BatchList batches={list} />
      </>,
      rejected === null ? 200 : 422,
    );
  };

  return [
    signedIn.get('/account/batches', (context) => show(context, null)),
    signedIn.upload('/account/batches', maxFormBytes, async (context, form) => {
      const { account } = context.session;
      requireActivePlan(account, context.nowMs);
      const design = form.text('design');
      const check = async () => {
        const { designId = null } = await readDesignChoice(savedDesigns, account.id, design);
        const checked = await batches.check(account.id, await readTable(form), designId);
        const id = await batches.saveDraft(account.id, checked);
        return redirectTo(context, batchPath(id));
      };
      return respondPatiently(context, 'Checking the table', () =>
        check().catch((error: unknown) => {
          if (!(error instanceof InvalidInput)) throw error;
          const table = form.text('table').slice(0, maxRepeatedLength);
          return show(context, { table, design, problem: error.message });
        }),
      );
    }),
  ];
}

async function readTable(form: FormFields): Promise<Uint8Array | string> {
  return (await form.file('file')) ?? form.text('table');
}

interface TableFormProps {
  readonly designs: readonly SavedDesign[];
  readonly rejected: RejectedTable | null;
}

function TableForm({ designs, rejected }: TableFormProps) {
  return (
    <section class="card">
      <Form to="/account/batches" class="stack" enctype="multipart/form-data">
        <TextArea
          id="table"
          label="Paste a table"
          hint={`Columns: name, destination, note. Copy them from a spreadsheet, or write one address per line. Up to ${formatNumber(maxBatchRows)} rows.`}
          problem={rejected?.problem}
          value={rejected?.table ?? ''}
          placeholder={'name\tdestination\nTable 7\thttps://example.com/menu?table=7'}
          rows={8}
          spellcheck={false}
          autocomplete="off"
        />
        <Field
          id="file"
          label="Or choose a file"
          hint={`CSV or TSV in UTF-8, up to ${maxTableBytes / 1_000_000} MB. It is used instead of the pasted table.`}
          type="file"
          accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
        />
        <DesignChoice designs={designs} value={rejected?.design ?? ''} />
        <button type="submit">Check the table</button>
      </Form>
    </section>
  );
}

function BatchList({ batches }: { batches: readonly Batch[] }) {
  return (
    <section class="card">
      <h2>Latest batches</h2>
      {batches.length === 0 ? (
        <p class="hint">None yet. A table that you check appears here.</p>
      ) : (
        <ul class="rows">
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
