/** @jsxImportSource preact */
import type { CodeSelection as PrintSelection } from '../../core/codes/print/selection.ts';
import { formatMm, PrintError } from '../../core/codes/print/sheet-layout.ts';
import type { PreparedSheet } from '../../core/codes/print/sheets.ts';
import { type ImageFormat, imageWidthPxRange } from '../../core/codes/qrs.ts';
import { fileResponse } from '../codes/downloads.ts';
import type { PanelDeps } from '../deps.ts';
import type { SignedInContext } from '../routing/request.ts';
import { page } from '../routing/responses.tsx';
import { type Route, signedIn } from '../routing/route.ts';
import { Notice } from '../ui/components.tsx';
import { Select } from '../ui/fields.tsx';
import { formatCount } from '../ui/formatting.ts';
import { Link, useRequest } from '../ui/page-context.tsx';
import {
  type Selection,
  SelectionFields,
  selectionOf,
  selectionPath,
  wantedCodes,
} from './selection.tsx';
import { layOut, readSheet, SheetDiagram, SheetFields, type TypedSheet } from './sheet-form.tsx';

/** Creates the routes with which account holders download and print many codes. */
export function printRoutes(deps: PanelDeps): Route[] {
  const { archives, sheets } = deps;

  const read = async ({ session, url }: SignedInContext): Promise<PrintSelection> => {
    const accountId = session.account.id;
    const wanted = await wantedCodes(deps, accountId, selectionOf(url));
    return 'codes' in wanted
      ? { accountId, text: '', codes: new Set(wanted.codes) }
      : { accountId, text: wanted.search };
  };

  /** Returns the sheet that a query asks for, or why it cannot be printed. */
  const prepare = async (context: SignedInContext, typed: TypedSheet) => {
    try {
      return await sheets.prepare(await read(context), layOut(typed));
    } catch (error) {
      if (error instanceof PrintError) return error.message;
      throw error;
    }
  };

  return [
    signedIn.get('/account/selection/images.zip', async (context) => {
      const [format, widthPx] = readFormat(context.url.searchParams.get('format'));
      const archive = await archives.prepare(await read(context), format, widthPx);
      return fileResponse(
        archive.zip(),
        'application/zip',
        `codes-${dayOf(context)}.zip`,
        context.log,
      );
    }),
    signedIn.get('/account/selection/sheet', async (context) => {
      const typed = readSheet(context.url.searchParams);
      const sheet = await prepare(context, typed);
      return page(
        context,
        'Print sheet',
        <SheetPage selection={selectionOf(context.url)} typed={typed} sheet={sheet} />,
        typeof sheet === 'string' ? 422 : 200,
      );
    }),
    signedIn.get('/account/selection/sheet.pdf', async (context) => {
      const layout = layOut(readSheet(context.url.searchParams));
      const sheet = await sheets.prepare(await read(context), layout);
      return fileResponse(
        sheet.pdf(),
        'application/pdf',
        `codes-${dayOf(context)}-${layout.name}.pdf`,
        context.log,
      );
    }),
  ];
}

function dayOf({ nowMs }: SignedInContext): string {
  return new Date(nowMs).toISOString().slice(0, 10);
}

const pngWidthsPx = [512, 1024, 2048, 4096];

/** Reads a format such as `svg` or `png-1024`. SVG by default. */
function readFormat(text: string | null): [format: ImageFormat, widthPx: number] {
  const widthPx = pngWidthsPx.find((width) => text === `png-${width}`);
  return widthPx === undefined ? ['svg', imageWidthPxRange.default] : ['png', widthPx];
}

const formatOptions = [
  { value: 'svg', text: 'SVG, any size' },
  ...pngWidthsPx.map((width) => ({ value: `png-${width}`, text: `PNG, ${width} px` })),
];

/** The form that downloads the images of a selection. */
export function ArchiveForm({ selection }: { selection: Selection }) {
  const { basePath } = useRequest();
  return (
    <section class="card">
      <div>
        <h2>Download images</h2>
        <p class="hint">
          A ZIP file with an image per code, named by its name, and a table in CSV.
        </p>
      </div>
      <form class="stack" action={`${basePath}/account/selection/images.zip`}>
        <SelectionFields selection={selection} />
        <Select id="format" label="Format" options={formatOptions} value="svg" />
        <button type="submit">Download ZIP</button>
      </form>
    </section>
  );
}

/** The way to the sheet of a selection. */
export function SheetCard({ selection }: { selection: Selection }) {
  return (
    <section class="card">
      <div>
        <h2>Print sheet</h2>
        <p class="hint">
          A PDF with all codes and their names, for A4, US Letter, Avery labels or a label roll.
        </p>
      </div>
      <Link
        class="button"
        to={selectionPath(selection).replace('/selection?', '/selection/sheet?')}
      >
        Choose the paper
      </Link>
    </section>
  );
}

interface SheetPageProps {
  readonly selection: Selection;
  readonly typed: TypedSheet;
  /** The sheet, or why it cannot be printed. */
  readonly sheet: PreparedSheet | string;
}

function SheetPage({ selection, typed, sheet }: SheetPageProps) {
  const { basePath } = useRequest();
  const path = `${basePath}/account/selection/sheet`;
  return (
    <>
      <h1>Print sheet</h1>
      <p class="lead">
        <Link to={selectionPath(selection)}>Back to the selected codes</Link>
      </p>
      <div class="columns">
        <form class="card" action={path}>
          <SelectionFields selection={selection} />
          <SheetFields typed={typed} />
          <div class="row">
            <button type="submit" class="quiet">
              Update
            </button>
            {typeof sheet !== 'string' && (
              <button type="submit" formAction={`${path}.pdf`}>
                Download PDF
              </button>
            )}
          </div>
        </form>
        <div class="stack">
          {typeof sheet === 'string' ? (
            <Notice kind="warning" title="This can’t be printed">
              {sheet}
            </Notice>
          ) : (
            <SheetSummary sheet={sheet} />
          )}
        </div>
      </div>
    </>
  );
}

function SheetSummary({ sheet }: { sheet: PreparedSheet }) {
  const { codes, pages, layout, readableFrom, unprintableNames, withoutImage } = sheet;
  const [firstName] = unprintableNames;
  return (
    <>
      <section class="card">
        <SheetDiagram layout={layout} codes={codes} />
        <p>
          <b>
            {formatCount(codes, 'code')} on {formatCount(pages, 'page')}
          </b>
          , each {formatMm(layout.code.widthMm)} mm wide. Phones can read them {readableFrom.use}.
        </p>
        <p class="hint">Print at 100 %, without “fit to page”.</p>
      </section>
      {firstName !== undefined && (
        <Notice
          kind="warning"
          title={`${formatCount(unprintableNames.length, 'name')} can’t be printed`}
        >
          The font lacks characters of names such as “{firstName}”. Their captions show the codes.
        </Notice>
      )}
      {withoutImage > 0 && (
        <Notice kind="warning" title={`${formatCount(withoutImage, 'imported link')} left out`}>
          Waymark has no image of them.
        </Notice>
      )}
    </>
  );
}
