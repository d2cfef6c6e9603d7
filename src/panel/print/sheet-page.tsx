/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { textCautions } from '../../core/codes/print/sheet-texts.ts';
import { type PreparedSheet, tighterStart } from '../../core/codes/print/sheets.ts';
import { type Caution, type Reason, type Remedy, sentenceOf } from '../../core/reasons.ts';
import { formatCount, formatDecimal, plural } from '../../lib/numbers.ts';
import { useText } from '../../sentences/print.ts';
import { titleOf } from '../codes/code-label.tsx';
import { NoCodes } from '../codes/code-list.tsx';
import { type Selection, selectionValues } from '../codes/selection.ts';
import type { FormFields } from '../request/request.ts';
import { Card, Crumb } from '../ui/cards.tsx';
import { Notice, PageHead } from '../ui/components.tsx';
import type { Choice } from '../ui/fields.tsx';
import { FormView } from '../ui/form.tsx';
import { Icon } from '../ui/icons.tsx';
import { PreviewScript, StudioStyle } from '../ui/layout.tsx';
import { HiddenFields, Submit, TextLink, useMayEdit } from '../ui/page-context.tsx';
import { cautionSentences } from '../ui/sentences/print.ts';
import { panelSentence } from '../ui/sentences/sentences.ts';
import { sheetFields, sheetForm } from './sheet-form.ts';
import { SheetView, StartMap } from './sheet-view.tsx';

/** A sheet, or why there is none. */
export type SheetResult = PreparedSheet | Reason | 'nothing chosen' | 'rejected';

interface PrintPageProps {
  readonly typed: FormFields;
  /** The selection that the page was opened with. */
  readonly selection: Selection | null;
  readonly codes: readonly Choice[];
  readonly sheet: SheetResult;
  /** Number of the page to show, from 0. */
  readonly number: number;
}

const foldedFields = ['size', 'dpi', 'marks'];

export function PrintPage({ typed, selection, codes, sheet, number }: PrintPageProps) {
  if (codes.length === 0)
    return (
      <>
        <PageHead title="Print" />
        <NoCodes />
      </>
    );
  const form = sheetForm({ layout: typed.text('layout'), page: typed.text('page') }, codes);
  const values = Object.fromEntries(sheetFields.map((name) => [name, typed.text(name)]));
  const isSheet = typeof sheet === 'object' && !('kind' in sheet);
  return (
    <>
      {selection !== null && <Crumb above={[[selection.list, 'Codes']]}>Print</Crumb>}
      <PageHead title="Print">
        {/* The first button of a form is the one that Enter presses. */}
        <button type="submit" form="print" hidden />
        <a class="button compact-hide" href="#images">
          Download images
        </a>
        <Submit form="print" name="do" value="pdf" icon="download">
          Download PDF
        </Submit>
      </PageHead>
      <StudioStyle />
      <PreviewScript />
      <p class="paper-only">To print the codes at their size, download the PDF and print that.</p>
      <FormView
        form={form}
        to="/account/print"
        values={values}
        id="print"
        class="print"
        data-download
      >
        {(fields) => (
          <>
            <div id="preview">
              <section
                class={isSheet ? 'card sheetview small-sheet' : 'card sheetview'}
                aria-label="Preview"
              >
                <p class="stale" hidden>
                  <Icon name="warn" /> <span>The server did not respond.</span>{' '}
                  <Submit class="button small">Try again</Submit>
                </p>
                {isSheet ? (
                  <Sheet sheet={sheet} number={Math.min(number, sheet.pages - 1)} />
                ) : sheet === 'nothing chosen' ? (
                  <ChooseCodes choices={codes} />
                ) : (
                  <Refusal reason={sheet} />
                )}
              </section>
              {isSheet && (
                <div class="stack tight notes">
                  <Warnings sheet={sheet} />
                  <Paused codes={sheet.paused} />
                </div>
              )}
            </div>
            <div class="stack">
              {selection !== null && <HiddenFields values={selectionValues(selection)} />}
              <Card isRegion title="Codes and paper" class="card pad stack">
                {fields.codes}
                {fields.layout}
                <div class="for-grid">{fields.page}</div>
                <div class="for-own">{fields.own_page}</div>
                <div class="fields for-grid">
                  {fields.columns}
                  {fields.rows}
                </div>
                <div class="fields for-free">
                  <div class="for-grid">{fields.gap}</div>
                  {fields.margin}
                </div>
                <div class="fields">
                  <div class="for-sheet">{fields.start}</div>
                  {fields.copies}
                </div>
                <div id="starts">{isSheet && <StartMap layout={sheet.layout} />}</div>
              </Card>
              <Card isRegion title="On each label" class="card pad stack">
                {fields.above}
                <fieldset class="field">
                  <legend class="legend">Below it</legend>
                  <div class="row checks">
                    {fields.below_name}
                    {fields.below_note}
                    {fields.below_link}
                    {fields.below_address}
                  </div>
                </fieldset>
                {fields.text}
                {fields.black}
                {fields.compact}
                <details open={foldedFields.some((name) => typed.text(name) !== '')}>
                  <summary>Size, resolution, order, cut marks</summary>
                  <div class="stack">
                    {fields.size}
                    {fields.dpi}
                    {fields.order}
                    <div class="for-sheet">{fields.marks}</div>
                  </div>
                </details>
                <Submit class="button no-script">Show</Submit>
              </Card>
            </div>
            <Card isRegion title="Images" id="images" class="card pad stack">
              <p class="hint">
                A ZIP file with an image per code, named by its name, and a table in CSV.
              </p>
              {fields.format}
              <div class="row">
                <Submit class="button" name="do" value="zip">
                  Download ZIP
                </Submit>
              </div>
            </Card>
          </>
        )}
      </FormView>
    </>
  );
}

/** Renders a button that sets fields, such as `start=3`. */
function SetButton({ set, children }: { set: string; children: ComponentChildren }) {
  return (
    <Submit class="button small" name="set" value={set} formNoValidate>
      {children}
    </Submit>
  );
}

const pageButtons = [
  { icon: 'back', label: 'Page before', step: -1 },
  { icon: 'next', label: 'Next page', step: 1 },
] as const;

function Sheet({ sheet, number }: { sheet: PreparedSheet; number: number }) {
  const { codes, pages, sideMm, readableFrom } = sheet;
  return (
    <>
      <div class="row between">
        <h2 tabIndex={-1}>
          Page {number + 1} of {pages}
        </h2>
        {pages > 1 && (
          <div class="row">
            {pageButtons.map(({ icon, label, step }) => (
              <Submit
                key={icon}
                id={`page-${icon}`}
                name="page_number"
                value={number + 1 + step}
                class="button small square"
                aria-label={label}
                disabled={number + step < 0 || number + step === pages}
                icon={icon}
              />
            ))}
          </div>
        )}
      </div>
      <SheetView sheet={sheet} number={number} />
      <p id="sheet-summary">
        <b>
          {formatCount(codes, 'code')} on {formatCount(pages, 'page')}
        </b>
        , {codes > 1 && 'each '}
        {formatDecimal(sideMm)} mm wide.{' '}
        <span class="soft">
          Phones can read {plural(codes, 'it', 'them')} {useText(readableFrom)}. Print at
          100&nbsp;%, without “fit to page”.
        </span>
      </p>
    </>
  );
}

/** Says which codes are paused. One is resumed at once, several on their list. */
function Paused({ codes }: { codes: PreparedSheet['paused'] }) {
  const [first] = codes;
  if (first === undefined) return null;
  const isOne = codes.length === 1;
  const mayEdit = useMayEdit();
  return (
    <p class="small line">
      <Icon name="pause" />
      <span>
        <bdi>{isOne ? titleOf(first) : formatCount(codes.length, 'code')}</bdi>{' '}
        {isOne ? 'is' : 'are'} paused: visitors see a “paused” page.{' '}
        {!mayEdit ? null : isOne ? (
          <Submit class="link" name="resume" value={first.code}>
            Resume
          </Submit>
        ) : (
          <TextLink to="/account/codes?status=paused">Show</TextLink>
        )}
      </span>
    </p>
  );
}

interface Warning {
  readonly title: string;
  readonly text: string;
  readonly action?: ComponentChildren;
}

/** Renders what will go wrong with a sheet, each with the action that ends it. */
function Warnings({ sheet }: { sheet: PreparedSheet }) {
  const { pages, layout, unprintable, cut, withoutImage, thermalCaution } = sheet;
  const start = tighterStart(sheet);
  const alone = layout.skippedLabels + 1 - (start ?? 0);
  const titles: Readonly<Record<Caution['kind'], string>> = {
    'no font': `${formatCount(unprintable.length, 'text')} can’t be printed`,
    'texts cut': `The texts of ${formatCount(cut.length, 'code')} are cut`,
    'not for black and white': 'Thermal printers print in black only',
  };
  const cautions: Caution[] = textCautions(sheet);
  if (thermalCaution !== null) cautions.unshift(thermalCaution);
  const warnings: (Warning | false)[] = [
    start !== null &&
      pages > 1 && {
        title: `${formatCount(alone, 'label is', 'labels are')} alone on page ${pages}`,
        text: `Start at label ${start} and everything fits on ${formatCount(pages - 1, 'page')}.`,
        action: <SetButton set={`start=${start}`}>Start at label {start}</SetButton>,
      },
    ...cautions.map((caution) => ({
      title: titles[caution.kind],
      text: sentenceOf(cautionSentences, caution),
      action: caution === thermalCaution && <SetButton set="black=yes">Print in black</SetButton>,
    })),
    withoutImage > 0 && {
      title: `${formatCount(withoutImage, 'imported link')} left out`,
      text: `Waymark has no image of ${plural(withoutImage, 'it', 'them')}.`,
    },
  ];
  return warnings
    .filter((warning) => warning !== false)
    .map(({ title, text, action }) => (
      <Notice key={title} kind="warn" title={title} action={action}>
        {text}
      </Notice>
    ));
}

/** What fields each remedy sets, by a button; words where there is more than one way. */
const remedyButtons: Readonly<Partial<Record<Remedy, { set: string; text: string }>>> = {
  compact: { set: 'compact=yes', text: 'Plain and compact' },
  text: { set: 'above=&below_name=&below_note=&below_link=&below_address=', text: 'Without texts' },
  smaller: { set: 'size=', text: 'As large as fits' },
  larger: { set: 'size=', text: 'As large as fits' },
};
const remedyTexts: Readonly<Partial<Record<Remedy, string>>> = {
  margins: 'smaller margins',
  grid: 'fewer columns or rows, smaller margins or gaps',
  labels: 'larger labels',
};

/** Buttons that are read at a glance. */
const maxChoiceButtons = 6;

/** Asks for the codes to print. More folders than have a button are in the field. */
function ChooseCodes({ choices }: { choices: readonly Choice[] }) {
  return (
    <>
      <h2 tabIndex={-1}>Which codes?</h2>
      <div class="row">
        {choices
          .filter(({ value }) => value !== '')
          .slice(0, maxChoiceButtons)
          .map(({ value, text }) => (
            <SetButton key={value} set={String(new URLSearchParams({ codes: value }))}>
              {text}
            </SetButton>
          ))}
      </div>
    </>
  );
}

/** Renders why a sheet cannot be printed, and what to do. */
function Refusal({ reason }: { reason: Reason | 'rejected' }) {
  const remedies = reason !== 'rejected' && 'remedies' in reason ? reason.remedies : [];
  const others = remedies.flatMap((remedy) => remedyTexts[remedy] ?? []);
  const buttons = remedies.flatMap((remedy) => remedyButtons[remedy] ?? []);
  return (
    <>
      <h2 tabIndex={-1}>Preview</h2>
      <Notice kind="bad" title="This can’t be printed">
        {reason === 'rejected' ? 'Correct the fields that are marked.' : panelSentence(reason)}
        {others.length > 0 &&
          ` Choose ${others.join(', or ')}${buttons.length > 0 ? ', or:' : '.'}`}
        {buttons.length > 0 && (
          <div class="row">
            {buttons.map(({ set, text }) => (
              <SetButton key={text} set={set}>
                {text}
              </SetButton>
            ))}
          </div>
        )}
      </Notice>
    </>
  );
}
