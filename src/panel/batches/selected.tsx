/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import type { BulkEditPreview } from '../../core/batches/bulk-edits.ts';
import { labelFields } from '../../core/codes/fields.ts';
import type { ArchiveOptions } from '../../core/codes/print/archive.ts';
import { printedWidthMm } from '../../core/codes/print/size.ts';
import { imageWidthPxRange, offeredPngWidthsPx } from '../../core/codes/qrs.ts';
import { InvalidInput } from '../../core/errors.ts';
import { formatCount } from '../../lib/numbers.ts';
import { fileResponse } from '../codes/downloads.ts';
import { LastBulkEdit } from '../codes/last-bulk-edit.tsx';
import {
  describeSelection,
  maxSelectionBytes,
  printSelection,
  readSelection,
  type Selection,
  SelectionButton,
  SelectionFields,
  wantedCodes,
} from '../codes/selection.tsx';
import type { PanelDeps } from '../deps.ts';
import type { FormFields, SignedInContext } from '../request/request.ts';
import { page, redirectTo } from '../routing/responses.tsx';
import { type Route, signedIn } from '../routing/route.ts';
import { Notice } from '../ui/components.tsx';
import { hiddenField, nameField, selectField, textField, trimmed } from '../ui/fields.tsx';
import { FormView } from '../ui/form.tsx';
import { formatLength } from '../ui/formatting.ts';
import { Link, useHasActivePlan } from '../ui/page-context.tsx';

/** Creates the route of the page of selected codes. */
export function selectedRoutes(deps: PanelDeps): Route[] {
  return [
    // The selection is in the form. After signing in again, it is gone.
    signedIn.get('/account/selection', async (context) => redirectTo(context, '/account/codes')),
    signedIn.post('/account/selection', (context, form) => showSelected(deps, context, form), {
      maxBytes: maxSelectionBytes,
    }),
    signedIn.submit(
      '/account/selection/images.zip',
      {
        form: archiveForm,
        page: (context, typed) => showSelected(deps, context, typed),
        maxBytes: maxSelectionBytes,
      },
      async ({ request, session, nowMs, log }, { format: options }, typed) => {
        const selection = await printSelection(deps, session.account.id, readSelection(typed));
        const archive = await deps.archives.prepare(selection, options, {
          signal: request.signal,
        });
        const name = `codes-${new Date(nowMs).toISOString().slice(0, 10)}.zip`;
        return fileResponse(archive.zip(), 'application/zip', name, log);
      },
    ),
  ];
}

/** The form that downloads the images of a selection. */
const archiveForm = {
  format: selectField({
    label: 'Format',
    options: [
      { value: 'svg', text: 'SVG, any size' },
      { value: 'pdf', text: 'PDF, any size' },
      ...offeredPngWidthsPx.map((width) => ({
        value: `png-${width}`,
        text: `PNG, ${width} px, ${formatLength(printedWidthMm(width))} wide`,
      })),
    ],
    parse: (value): ArchiveOptions => {
      const widthPx = offeredPngWidthsPx.find((width) => value === `png-${width}`);
      if (widthPx !== undefined) return { format: 'png', widthPx };
      return { format: value === 'pdf' ? 'pdf' : 'svg', widthPx: imageWidthPxRange.default };
    },
  }),
};

/** Renders the page of the codes that a form selects. */
export async function showSelected(
  deps: PanelDeps,
  context: SignedInContext,
  form: FormFields,
): Promise<Response> {
  const { id } = context.session.account;
  const selection = readSelection(form);
  const wanted = await wantedCodes(deps, id, selection);
  const preview = (kind: 'pause' | 'resume') =>
    deps.bulkEdits.preview(id, wanted, { kind }).catch((error: unknown) => {
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
      replace={
        <ReplaceForm
          selection={selection}
          replaced={form.text('replaced')}
          replacement={form.text('replacement')}
        />
      }
    >
      <LastBulkEdit edit={await deps.bulkEdits.last(id)} maxAgeMs={Number.POSITIVE_INFINITY} />
    </SelectedPage>,
  );
}

interface SelectedProps {
  readonly selection: Selection;
  /** What pausing and resuming would do, or why nothing can be edited. */
  readonly pause: BulkEditPreview | string;
  readonly resume: BulkEditPreview | string;
  /** The form that changes destinations. */
  readonly replace: ComponentChildren;
  readonly children: ComponentChildren;
}

function SelectedPage({ selection, pause, resume, replace, children }: SelectedProps) {
  if (typeof pause === 'string' || typeof resume === 'string')
    return (
      <>
        <h1>Selected codes</h1>
        <Notice kind="warn" title="Too many codes to edit at once">
          {typeof pause === 'string' ? pause : resume}
        </Notice>
        <div class="split">
          <SheetCard selection={selection} />
          <ArchiveForm selection={selection} />
        </div>
      </>
    );
  if (pause.selected === 0) return <NothingSelected list={selection.list} />;
  const title = describeSelection(selection, pause.selected);
  return (
    <>
      <h1>{title}</h1>
      <p class="intro">
        {'codes' in selection
          ? 'You ticked them in the list.'
          : 'Older pages of the list included.'}{' '}
        <Link to={selection.list}>Back to the list</Link>
      </p>
      {children}
      <div class="split">
        <SheetCard selection={selection} />
        <ArchiveForm selection={selection} />
        {replace}
        <section class="card pad stack tight">
          <div>
            <h2>Pause or resume</h2>
            <p class="hint">
              Paused codes show a “paused” page instead of redirecting. Scans are not counted.
            </p>
          </div>
          <div class="row">
            <StatusButton selection={selection} kind="pause" codes={pause.edits.length} />
            <StatusButton selection={selection} kind="resume" codes={resume.edits.length} />
          </div>
        </section>
        <OrderCard selection={selection} />
      </div>
    </>
  );
}

/** Moves codes to a folder, or archives them. */
function OrderCard({ selection }: { selection: Selection }) {
  const to = '/account/selection/preview';
  return (
    <section class="card pad stack tight" id="order">
      <h2>Folder and archive</h2>
      <FormView form={moveForm} to="/account/selection/folder" class="stack">
        <SelectionFields selection={selection} />
        <button type="submit" class="button">
          Move to folder
        </button>
      </FormView>
      <p class="hint">
        Archived codes are left out of lists, searches and exports. They still redirect.
      </p>
      <div class="row">
        {(['archive', 'unarchive'] as const).map((kind) => (
          <SelectionButton
            key={kind}
            selection={selection}
            to={to}
            values={{ do: kind }}
            class="button"
          >
            {kind === 'archive' ? 'Archive' : 'Unarchive'}
          </SelectionButton>
        ))}
      </div>
    </section>
  );
}

/** The form that moves a selection to a folder. */
export const moveForm = {
  folder: nameField({
    label: 'Folder',
    hint: 'Empty for no folder.',
    parse: labelFields.folder.parse,
  }),
};

function NothingSelected({ list }: { list: string }) {
  return (
    <>
      <h1>Selected codes</h1>
      <section class="card pad stack tight">
        <h2>No codes are selected</h2>
        <p>
          Tick codes in the list first, or select all. <Link to={list}>Go to the list</Link>
        </p>
      </section>
    </>
  );
}

function ArchiveForm({ selection }: { selection: Selection }) {
  return (
    <section class="card pad stack tight" id="download">
      <div>
        <h2>Download images</h2>
        <p class="hint">
          A ZIP file with an image per code, named by its name, and a table in CSV.
        </p>
      </div>
      <FormView
        form={archiveForm}
        to="/account/selection/images.zip"
        values={{ format: 'svg' }}
        class="stack"
      >
        <SelectionFields selection={selection} />
        <button type="submit" class="button primary">
          Download ZIP
        </button>
      </FormView>
    </section>
  );
}

/** The way to the sheet of a selection. */
function SheetCard({ selection }: { selection: Selection }) {
  return (
    <section class="card pad stack tight">
      <div>
        <h2>Print sheet</h2>
        <p class="hint">
          A PDF with all codes and their names, for A4, US Letter, Avery labels or a label roll.
        </p>
      </div>
      <SelectionButton selection={selection} to="/account/selection/sheet">
        Choose the paper
      </SelectionButton>
    </section>
  );
}

interface ReplaceFormProps {
  readonly selection: Selection;
  /** What was typed before the preview. */
  readonly replaced: string;
  readonly replacement: string;
}

function ReplaceForm({ selection, replaced, replacement }: ReplaceFormProps) {
  const hasActivePlan = useHasActivePlan();
  return (
    <section class="card pad stack tight" id="destination">
      <div>
        <h2>Change destinations</h2>
        <p class="hint">
          {hasActivePlan
            ? 'Replaces a part of each destination. You see the result before anything changes.'
            : 'You can change destinations once your plan is renewed.'}
        </p>
      </div>
      {hasActivePlan && (
        <FormView
          form={replaceForm}
          to="/account/selection/preview"
          values={{ do: 'replace', replaced, replacement }}
          class="stack"
        >
          <SelectionFields selection={selection} />
          <button type="submit" class="button primary">
            Preview
          </button>
        </FormView>
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

const previewedKinds = ['replace', 'pause', 'resume', 'archive', 'unarchive'] as const;

/** The form that changes destinations, pauses, resumes or archives. */
export const replaceForm = {
  do: hiddenField((text) => previewedKinds.find((kind) => kind === text) ?? 'replace'),
  replaced: textField({
    label: 'Replace',
    parse: trimmed,
    placeholder: 'https://old.example',
    required: true,
    ...plainText,
  }),
  replacement: textField({
    label: 'With',
    parse: trimmed,
    placeholder: 'https://new.example',
    ...plainText,
  }),
};

interface StatusButtonProps {
  readonly selection: Selection;
  readonly kind: 'pause' | 'resume';
  readonly codes: number;
}

/** Nothing when no code of the selection can be paused or resumed. */
function StatusButton({ selection, kind, codes }: StatusButtonProps) {
  if (codes === 0) return null;
  return (
    <SelectionButton
      selection={selection}
      to="/account/selection/preview"
      values={{ do: kind }}
      class="button"
    >
      {kind === 'pause' ? 'Pause' : 'Resume'} {formatCount(codes, 'code')}
    </SelectionButton>
  );
}
