/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { roundedMm } from '../../core/codes/print/paper.ts';
import { textCautions } from '../../core/codes/print/sheet-texts.ts';
import { type PreparedSheet, tighterStart } from '../../core/codes/print/sheets.ts';
import { type Caution, type Reason, type Remedy, sentenceOf } from '../../core/reasons.ts';
import type { Said } from '../../languages/texts.ts';
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
import {
  HiddenFields,
  Submit,
  TextLink,
  useMayEdit,
  useSaid,
  useTexts,
} from '../ui/page-context.tsx';
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
  const t = useTexts();
  if (codes.length === 0)
    return (
      <>
        <PageHead title={t.print.title} />
        <NoCodes />
      </>
    );
  const form = sheetForm({ layout: typed.text('layout'), page: typed.text('page') }, codes);
  const values = Object.fromEntries(sheetFields.map((name) => [name, typed.text(name)]));
  const isSheet = typeof sheet === 'object' && !('kind' in sheet);
  return (
    <>
      {selection !== null && (
        <Crumb above={[[selection.list, t.common.codes]]}>{t.print.title}</Crumb>
      )}
      <PageHead title={t.print.title}>
        {/* The first button of a form is the one that Enter presses. */}
        <button type="submit" form="print" hidden />
        <a class="button compact-hide" href="#images">
          {t.print.downloadImages}
        </a>
        <Submit form="print" name="do" value="pdf" icon="download">
          {t.print.downloadPdf}
        </Submit>
      </PageHead>
      <StudioStyle />
      <PreviewScript />
      <p class="paper-only">{t.print.printThePdf}</p>
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
                aria-label={t.print.preview}
              >
                <p class="stale" hidden>
                  <Icon name="warn" /> <span>{t.print.noAnswer}</span>{' '}
                  <Submit class="button small">{t.print.tryAgain}</Submit>
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
              <Card isRegion title={t.print.codesAndPaper} class="card pad stack">
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
              <Card isRegion title={t.print.onEachLabel} class="card pad stack">
                {fields.above}
                <fieldset class="field">
                  <legend class="legend">{t.print.belowCode}</legend>
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
                  <summary>{t.print.moreSettings}</summary>
                  <div class="stack">
                    {fields.size}
                    {fields.dpi}
                    {fields.order}
                    <div class="for-sheet">{fields.marks}</div>
                  </div>
                </details>
                <Submit class="button no-script">{t.print.show}</Submit>
              </Card>
            </div>
            <Card isRegion title={t.print.images} id="images" class="card pad stack">
              <p class="hint">{t.print.whatIsInZip}</p>
              {fields.format}
              <div class="row">
                <Submit class="button" name="do" value="zip">
                  {t.print.downloadZip}
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
  { icon: 'back', label: 'pageBefore', step: -1 },
  { icon: 'next', label: 'nextPage', step: 1 },
] as const;

function Sheet({ sheet, number }: { sheet: PreparedSheet; number: number }) {
  const t = useTexts();
  const { codes, pages, sideMm, readableFrom } = sheet;
  const { use, distanceMm } = readableFrom;
  return (
    <>
      <div class="row between">
        <h2 tabIndex={-1}>{t.print.pageOf({ page: number + 1, pages })}</h2>
        {pages > 1 && (
          <div class="row">
            {pageButtons.map(({ icon, label, step }) => (
              <Submit
                key={icon}
                id={`page-${icon}`}
                name="page_number"
                value={number + 1 + step}
                class="button small square"
                aria-label={t.print[label]}
                disabled={number + step < 0 || number + step === pages}
                icon={icon}
              />
            ))}
          </div>
        )}
      </div>
      <SheetView sheet={sheet} number={number} />
      <p id="sheet-summary">
        {t.print.summary({ codes, pages, sideMm: roundedMm(sideMm), b: (text) => <b>{text}</b> })}{' '}
        <span class="soft">
          {t.print.readableFrom({
            where: use === 'close by' ? 'closeBy' : use,
            centimetres: distanceMm / 10,
          })}{' '}
          {t.print.printFullSize}
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
  const t = useTexts();
  const mayEdit = useMayEdit();
  return (
    <p class="small line">
      <Icon name="pause" />
      <span>
        {isOne
          ? t.print.isPaused({ title: <bdi>{titleOf(first)}</bdi> })
          : t.print.arePaused({ codes: codes.length })}{' '}
        {!mayEdit ? null : isOne ? (
          <Submit class="link" name="resume" value={first.code}>
            {t.print.resume}
          </Submit>
        ) : (
          <TextLink to="/account/codes?status=paused">{t.print.showPaused}</TextLink>
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
  const t = useTexts();
  const start = tighterStart(sheet);
  const alone = layout.skippedLabels + 1 - (start ?? 0);
  const titles: Readonly<Record<Caution['kind'], string>> = {
    'no font': t.print.textsNotPrinted({ texts: unprintable.length }),
    'texts cut': t.print.textsCut({ codes: cut.length }),
    'not for black and white': t.print.thermalIsBlack,
  };
  const cautions: Caution[] = textCautions(sheet);
  if (thermalCaution !== null) cautions.unshift(thermalCaution);
  const warnings: (Warning | false)[] = [
    start !== null &&
      pages > 1 && {
        title: t.print.labelsAlone({ labels: alone, page: pages }),
        text: t.print.startTighter({ label: start, pages: pages - 1 }),
        action: <SetButton set={`start=${start}`}>{t.print.startAt({ label: start })}</SetButton>,
      },
    ...cautions.map((caution) => ({
      title: titles[caution.kind],
      text: sentenceOf(cautionSentences(t), caution),
      action: caution === thermalCaution && (
        <SetButton set="black=yes">{t.print.printInBlack}</SetButton>
      ),
    })),
    withoutImage > 0 && {
      title: t.print.linksLeftOut({ links: withoutImage }),
      text: t.print.noImageOfLinks({ links: withoutImage }),
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

/** What fields each remedy sets, by a button, where there is one way. */
const remedyButtons: Readonly<Partial<Record<Remedy, { set: string; text: Said }>>> = {
  compact: { set: 'compact=yes', text: (t) => t.print.compact },
  text: {
    set: 'above=&below_name=&below_note=&below_link=&below_address=',
    text: (t) => t.print.withoutTexts,
  },
  smaller: { set: 'size=', text: (t) => t.print.asLargeAsFits },
  larger: { set: 'size=', text: (t) => t.print.asLargeAsFits },
};

/** Returns what to choose in the fields. Larger labels always help, and other papers have more. */
function fieldRemedy(remedies: readonly Remedy[]): 'margins' | 'grid' | 'labels' | null {
  const ways = ['margins', 'grid', 'labels'] as const;
  return ways.find((one) => remedies.includes(one)) ?? null;
}

/** Buttons that are read at a glance. */
const maxChoiceButtons = 6;

/** Asks for the codes to print. More folders than have a button are in the field. */
function ChooseCodes({ choices }: { choices: readonly Choice[] }) {
  return (
    <>
      <h2 tabIndex={-1}>{useTexts().print.whichCodes}</h2>
      <div class="row">
        {choices
          .filter(({ value }) => value !== '')
          .slice(0, maxChoiceButtons)
          .map(({ value, text }) => (
            <SetButton key={value} set={String(new URLSearchParams({ codes: value }))}>
              {useSaid(text)}
            </SetButton>
          ))}
      </div>
    </>
  );
}

/** Renders why a sheet cannot be printed, and what to do. */
function Refusal({ reason }: { reason: Reason | 'rejected' }) {
  const t = useTexts();
  const remedies = reason !== 'rejected' && 'remedies' in reason ? reason.remedies : [];
  const what = fieldRemedy(remedies);
  const buttons = remedies.flatMap((remedy) => remedyButtons[remedy] ?? []);
  return (
    <>
      <h2 tabIndex={-1}>{t.print.preview}</h2>
      <Notice kind="bad" title={t.print.cannotBePrinted}>
        {reason === 'rejected' ? t.print.correctMarked : panelSentence(reason, t)}
        {what !== null &&
          ` ${buttons.length > 0 ? t.print.chooseOrPress({ what }) : t.print.choose({ what })}`}
        {buttons.length > 0 && (
          <div class="row">
            {buttons.map(({ set, text }) => (
              <SetButton key={set} set={set}>
                {useSaid(text)}
              </SetButton>
            ))}
          </div>
        )}
      </Notice>
    </>
  );
}
