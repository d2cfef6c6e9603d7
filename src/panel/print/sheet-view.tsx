/** @jsxImportSource preact */
import { Fragment } from 'preact';
import { inchMm } from '../../core/codes/print/paper.ts';
import { cutMarks, labelCorner, type SheetLayout } from '../../core/codes/print/sheet-layout.ts';
import type { PreparedSheet, ShownLabel } from '../../core/codes/print/sheets.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import { picturePath } from '../codes/code-label.tsx';
import { useRequest, useTexts } from '../ui/page-context.tsx';

/** Pictures of more codes would take long to draw. */
const maxPictures = 120;
/** Labels of a page with more are small. */
const maxMediumPictures = 24;
const mmPerPt = inchMm / 72;

/** Rounds millimetres to whole micrometres, which keeps the page small. */
function mm(value: number): number {
  return Math.round(value * 1000) / 1000;
}

interface SheetViewProps {
  readonly sheet: PreparedSheet;
  /** Number of the page, from 0. */
  readonly number: number;
}

/**
 * Renders a page of a sheet as it will be printed.
 * The script makes its labels buttons that choose the first one.
 */
export function SheetView({ sheet, number }: SheetViewProps) {
  const t = useTexts();
  const { layout } = sheet;
  const { pageWidthMm, pageHeightMm, columns, rows, labelWidthMm, labelHeightMm } = layout;
  const labels = sheet.page(number);
  const skipped = number === 0 ? layout.skippedLabels : 0;
  const size = { width: mm(labelWidthMm), height: mm(labelHeightMm), rx: 1 };
  const arm = mm(Math.min(labelWidthMm, labelHeightMm) / 8);
  return (
    <svg
      class="sheet"
      viewBox={`0 0 ${mm(pageWidthMm)} ${mm(pageHeightMm)}`}
      role="img"
      aria-label={describe(t, layout, number, skipped, labels)}
    >
      {labels.map((label, index) => (
        <Label
          key={`${label.leftMm} ${label.topMm}`}
          label={label}
          form={layout.form}
          isDrawn={index < maxPictures}
          isSmall={labels.length > maxMediumPictures}
        />
      ))}
      <defs>
        <rect id="label" {...size} />
        <path id="cross" d={`M${-arm} ${-arm}L${arm} ${arm}M${arm} ${-arm}L${-arm} ${arm}`} />
      </defs>
      {Array.from({ length: columns * rows }, (_, index) => {
        const { leftMm, topMm } = labelCorner(layout, index);
        const corner = { x: mm(leftMm), y: mm(topMm) };
        const center = { x: mm(leftMm + labelWidthMm / 2), y: mm(topMm + labelHeightMm / 2) };
        return (
          <Fragment key={`${leftMm} ${topMm}`}>
            {index < skipped && (
              <>
                <use class="used" href="#label" {...corner} />
                <use class="used-mark" href="#cross" {...center} />
              </>
            )}
            <use
              class="label"
              href="#label"
              {...corner}
              data-start={number === 0 ? index + 1 : undefined}
            />
          </Fragment>
        );
      })}
      {cutMarks(layout).map(({ fromXMm, fromYMm, toXMm, toYMm }) => (
        <path
          key={`${fromXMm} ${fromYMm}`}
          class="cut-mark"
          d={`M${mm(fromXMm)} ${mm(fromYMm)}L${mm(toXMm)} ${mm(toYMm)}`}
        />
      ))}
    </svg>
  );
}

interface LabelProps {
  readonly label: ShownLabel;
  readonly form: SheetLayout['form'];
  readonly isDrawn: boolean;
  readonly isSmall: boolean;
}

/** Renders a code and its texts. Each line is as wide as in print, whatever the font of the browser. */
function Label({ label, form, isDrawn, isSmall }: LabelProps) {
  const { basePath } = useRequest();
  const { code, picture, lines, leftMm, topMm, colors } = label;
  const box = {
    x: picture.leftMm,
    y: picture.topMm,
    width: picture.sideMm,
    height: picture.sideMm,
  };
  const options = {
    ...(!isSmall && { size: 'medium' as const }),
    ...(form !== 'design' && { form }),
  };
  return (
    <>
      {isDrawn ? (
        <image {...box} href={`${basePath}${picturePath(code, options)}`} />
      ) : (
        <rect class="code" {...box} />
      )}
      {lines.map((line) => (
        <text
          key={line.baselineMm}
          class={line.weight}
          fill={colors[line.tone]}
          x={mm(leftMm + line.leftMm + line.widthMm / 2)}
          y={mm(topMm + line.baselineMm)}
          font-size={mm(line.fontPt * mmPerPt)}
          textLength={mm(line.widthMm)}
          lengthAdjust="spacingAndGlyphs"
          direction={line.isRightToLeft ? 'rtl' : undefined}
        >
          {line.text}
        </text>
      ))}
    </>
  );
}

function describe(
  { print }: Texts,
  { columns, rows }: SheetLayout,
  number: number,
  skipped: number,
  labels: readonly ShownLabel[],
): string {
  const nameOf = (label: ShownLabel | undefined) => label?.name ?? label?.code ?? '';
  const [first, last] = [nameOf(labels.at(0)), nameOf(labels.at(-1))];
  return [
    print.pageShown({ page: number + 1, columns, rows }),
    ...(skipped === 0 ? [] : [print.labelsStayFree({ labels: skipped })]),
    first === last ? first : print.codesShown({ first, last }),
  ].join(' ');
}

/** More labels would be too small to tell apart. */
const maxMappedLabels = 200;

/** Renders Which labels of the first sheet are used. Null where there is only one, or too many. */
export function StartMap({ layout }: { layout: SheetLayout }) {
  const { columns, rows, skippedLabels } = layout;
  const t = useTexts();
  const labels = columns * rows;
  if (labels === 1 || labels > maxMappedLabels) return null;
  return (
    <div class="starts">
      <svg viewBox={`0 0 ${15 * columns} ${10 * rows}`} aria-hidden="true" focusable="false">
        {Array.from({ length: labels }, (_, index) => (
          <rect
            key={`${index}`}
            class={index < skippedLabels ? 'used' : index === skippedLabels ? 'first' : undefined}
            x={15 * (index % columns) + 0.75}
            y={10 * Math.floor(index / columns) + 0.75}
            width="13"
            height="8"
            rx="1.5"
            data-start={index + 1}
          />
        ))}
      </svg>
      <p class="hint">
        {t.print.usedLabels} <span class="script-only">{t.print.clickLabel}</span>
      </p>
    </div>
  );
}
