/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import type { BulkEditPreview } from '../../core/batches/bulk-edits.ts';
import { InvalidInput } from '../../core/errors.ts';
import type { PanelDeps } from '../deps.ts';
import { page } from '../routing/responses.tsx';
import { type Route, signedIn } from '../routing/route.ts';
import { Notice } from '../ui/components.tsx';
import { Field } from '../ui/fields.tsx';
import { formatCount } from '../ui/formatting.ts';
import { Form, Link, useHasActivePlan } from '../ui/page-context.tsx';
import { LastBulkEdit } from './last-bulk-edit.tsx';
import { ArchiveForm, SheetCard } from './print.tsx';
import {
  describeSelection,
  type Selection,
  SelectionFields,
  selectionOf,
  wantedCodes,
} from './selection.tsx';

/** Creates the route of the page of selected codes. */
export function selectedRoutes(deps: PanelDeps): Route[] {
  const { bulkEdits } = deps;
  return [
    signedIn.get('/account/selection', async (context) => {
      const { id } = context.session.account;
      const selection = selectionOf(context.url);
      const wanted = await wantedCodes(deps, id, selection);
      const preview = (kind: 'pause' | 'resume') =>
        bulkEdits.preview(id, wanted, { kind }).catch((error: unknown) => {
          if (error instanceof InvalidInput) return error.message;
          throw error;
        });
      return page(
        context,
        'Selected codes',
        <SelectedPage
          selection={selection}
          pause={await preview('pause')}
          resume={await preview('resume')}
        >
          <LastBulkEdit edit={await bulkEdits.last(id)} maxAgeMs={Number.POSITIVE_INFINITY} />
        </SelectedPage>,
      );
    }),
  ];
}

interface SelectedProps {
  readonly selection: Selection;
  /** What pausing and resuming would do, or why nothing can be edited. */
  readonly pause: BulkEditPreview | string;
  readonly resume: BulkEditPreview | string;
  readonly children: ComponentChildren;
}

function SelectedPage({ selection, pause, resume, children }: SelectedProps) {
  if (typeof pause === 'string' || typeof resume === 'string')
    return (
      <>
        <h1>Selected codes</h1>
        <Notice kind="warning" title="Too many codes to edit at once">
          {typeof pause === 'string' ? pause : resume}
        </Notice>
        <div class="columns wide">
          <SheetCard selection={selection} />
          <ArchiveForm selection={selection} />
        </div>
      </>
    );
  if (pause.selected === 0) return <NothingSelected />;
  const title = describeSelection(selection, pause.selected);
  return (
    <>
      <h1>{title}</h1>
      <p class="lead">
        {'codes' in selection
          ? 'You ticked them in the list.'
          : 'Older pages of the list included.'}{' '}
        <Link to="/account/codes">Back to the list</Link>
      </p>
      {children}
      <div class="columns wide">
        <SheetCard selection={selection} />
        <ArchiveForm selection={selection} />
        <ReplaceForm selection={selection} />
        <section class="card">
          <div>
            <h2>Pause or resume</h2>
            <p class="hint">
              Paused codes show a “paused” page instead of redirecting. Scans are not counted.
            </p>
          </div>
          <div class="row">
            <StatusForm selection={selection} kind="pause" codes={pause.edits.length} />
            <StatusForm selection={selection} kind="resume" codes={resume.edits.length} />
          </div>
        </section>
      </div>
    </>
  );
}

function NothingSelected() {
  return (
    <>
      <h1>Selected codes</h1>
      <section class="empty">
        <h2>No codes are selected</h2>
        <p>
          Tick codes in the list first, or select all.{' '}
          <Link to="/account/codes">Go to the list</Link>
        </p>
      </section>
    </>
  );
}

function ReplaceForm({ selection }: { selection: Selection }) {
  const hasActivePlan = useHasActivePlan();
  return (
    <section class="card">
      <div>
        <h2>Change destinations</h2>
        <p class="hint">
          {hasActivePlan
            ? 'Replaces a part of each destination. You see the result before anything changes.'
            : 'You can change destinations once your plan is renewed.'}
        </p>
      </div>
      {hasActivePlan && (
        <Form to="/account/selection/preview" class="stack">
          <SelectionFields selection={selection} />
          <input type="hidden" name="do" value="replace" />
          <Field
            id="replaced"
            label="Replace"
            placeholder="https://old.example"
            required
            {...plainText}
          />
          <Field id="replacement" label="With" placeholder="https://new.example" {...plainText} />
          <button type="submit">Preview</button>
        </Form>
      )}
    </section>
  );
}

const plainText = {
  type: 'text',
  autocomplete: 'off',
  autocapitalize: 'none',
  spellcheck: false,
} as const;

interface StatusFormProps {
  readonly selection: Selection;
  readonly kind: 'pause' | 'resume';
  readonly codes: number;
}

/** Nothing when no code of the selection can be paused or resumed. */
function StatusForm({ selection, kind, codes }: StatusFormProps) {
  if (codes === 0) return null;
  return (
    <Form to="/account/selection/preview">
      <SelectionFields selection={selection} />
      <input type="hidden" name="do" value={kind} />
      <button type="submit" class="quiet">
        {kind === 'pause' ? 'Pause' : 'Resume'} {formatCount(codes, 'code')}
      </button>
    </Form>
  );
}
