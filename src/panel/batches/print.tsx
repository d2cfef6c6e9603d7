/** @jsxImportSource preact */
import { formatMm, PrintError } from '../../core/codes/print/paper.ts';
import { fontAdvice } from '../../core/codes/print/sheet-texts.ts';
import type { PreparedSheet } from '../../core/codes/print/sheets.ts';
import { formatCount } from '../../lib/numbers.ts';
import { fileResponse } from '../codes/downloads.ts';
import {
  maxSelectionBytes,
  printSelection,
  readSelection,
  SelectionButton,
  SelectionFields,
} from '../codes/selection.tsx';
import type { PanelDeps } from '../deps.ts';
import type { FormFields, SignedInContext } from '../request/request.ts';
import { page } from '../routing/responses.tsx';
import { type Route, signedIn } from '../routing/route.ts';
import { Notice } from '../ui/components.tsx';
import { FormView } from '../ui/form.tsx';
import { layOut, layoutOf, SheetDiagram, sheetForm } from './sheet-form.tsx';

const path = '/account/selection/sheet';

/** Creates the route with which account holders print many codes. */
export function printRoutes(deps: PanelDeps): Route[] {
  const show = async (context: SignedInContext, typed: FormFields, sheet?: SheetResult) =>
    page(
      context,
      'Print sheet',
      <SheetPage typed={typed} sheet={sheet} />,
      typeof sheet === 'string' ? 422 : undefined,
    );

  return [
    signedIn.submit(
      path,
      {
        form: async (_, typed) => sheetForm(layoutOf(typed.text('layout'))),
        page: (context, typed) => show(context, typed),
        maxBytes: maxSelectionBytes,
      },
      async (context, values, typed) => {
        try {
          const layout = layOut(values);
          const { id } = context.session.account;
          const selection = await printSelection(deps, id, readSelection(typed));
          const sheet = await deps.sheets.prepare(selection, layout, {
            signal: context.request.signal,
          });
          if (typed.text('do') !== 'pdf') return show(context, typed, sheet);
          const day = new Date(context.nowMs).toISOString().slice(0, 10);
          const name = `codes-${day}-${layout.name}.pdf`;
          return fileResponse(sheet.pdf(), 'application/pdf', name, context.log);
        } catch (error) {
          if (error instanceof PrintError) return show(context, typed, error.message);
          throw error;
        }
      },
    ),
  ];
}

/** A sheet, or why it cannot be printed. */
type SheetResult = PreparedSheet | string;

interface SheetPageProps {
  readonly typed: FormFields;
  /** Undefined when the form was rejected. */
  readonly sheet: SheetResult | undefined;
}

function SheetPage({ typed, sheet }: SheetPageProps) {
  const selection = readSelection(typed);
  const form = sheetForm(layoutOf(typed.text('layout')));
  const values = Object.fromEntries(Object.keys(form).map((name) => [name, typed.text(name)]));
  return (
    <>
      <h1>Print sheet</h1>
      <SelectionButton selection={selection} class="link">
        Back to the selected codes
      </SelectionButton>
      <div class="split">
        <FormView form={form} to={path} values={values} class="card pad stack tight">
          {({ columns, rows, margin, gap, ...fields }) => (
            <>
              <SelectionFields selection={selection} />
              {fields.layout}
              {fields.page}
              {columns && (
                <div class="fields">
                  {columns}
                  {rows}
                  {margin}
                  {gap}
                </div>
              )}
              {fields.size}
              {fields.form}
              {fields.captions}
              {fields.above}
              {fields.dpi}
              {fields.copies}
              {fields.start}
              {fields.marks}
              <div class="row">
                <button type="submit" class="button">
                  Update
                </button>
                {typeof sheet === 'object' && (
                  <button type="submit" name="do" value="pdf" class="button primary">
                    Download PDF
                  </button>
                )}
              </div>
            </>
          )}
        </FormView>
        <div class="stack">
          {typeof sheet === 'string' && (
            <Notice kind="warn" title="This can’t be printed">
              {sheet}
            </Notice>
          )}
          {typeof sheet === 'object' && <SheetSummary sheet={sheet} />}
        </div>
      </div>
    </>
  );
}

function SheetSummary({ sheet }: { sheet: PreparedSheet }) {
  const { codes, pages, layout, sideMm, readableFrom, unprintable, withoutImage } = sheet;
  const advice = fontAdvice(unprintable);
  return (
    <>
      <section class="card pad stack tight">
        <SheetDiagram layout={layout} codes={codes} />
        <p>
          <b>
            {formatCount(codes, 'code')} on {formatCount(pages, 'page')}
          </b>
          , each {formatMm(sideMm)} mm wide. Phones can read them {readableFrom.use}.
        </p>
        <p class="hint">Print at 100 %, without “fit to page”.</p>
      </section>
      {sheet.thermalCaution !== null && (
        <Notice kind="warn" title="Thermal printers print in black only">
          {sheet.thermalCaution}
        </Notice>
      )}
      {advice !== null && (
        <Notice kind="warn" title={`${formatCount(unprintable.length, 'text')} can’t be printed`}>
          {advice}
        </Notice>
      )}
      {withoutImage > 0 && (
        <Notice kind="warn" title={`${formatCount(withoutImage, 'imported link')} left out`}>
          Waymark has no image of them.
        </Notice>
      )}
    </>
  );
}
