/** @jsxImportSource preact */
import { labelNames } from '../../core/codes/fields.ts';
import { parseFolder } from '../../core/codes/lists/lists.ts';
import type { Folder } from '../../core/codes/ports.ts';
import { type Qr, qrStatuses } from '../../core/codes/qr.ts';
import { formatCount, formatNumber } from '../../lib/numbers.ts';
import { hiddenField, nameField } from '../forms/fields.tsx';
import { FormView } from '../forms/form.tsx';
import { ownPath } from '../request/own-path.ts';
import { Image, RelativeTime, Search } from '../ui/components.tsx';
import { Form, HiddenFields, Link, useRequest } from '../ui/page-context.tsx';
import { Rename } from './code-forms.tsx';
import { anchorOf, CodeDestination, CodeLink, codePath, titleOf } from './code-label.tsx';

/** A page of the list or of a search. */
export interface Listing {
  readonly qrs: readonly Qr[];
  /** Empty for the list. */
  readonly search: string;
  /** Whether only some codes are selected. */
  readonly isFiltered: boolean;
  readonly title: string;
  readonly folders: readonly Folder[];
  /** Whether the account has no codes. */
  readonly isEmpty: boolean;
  /** Number of the page, from 1. */
  readonly number: number;
  readonly hasMore: boolean;
  /** Null for a search. */
  readonly total: number | null;
}

/** What there is to see before the first code. */
export function NoCodes() {
  return (
    <section class="card pad stack tight">
      <h2>No codes yet</h2>
      <p>
        You can change the destination of a printed code at any time. Its image never changes, so{' '}
        <Link to="/account/design">set your colours and logo</Link> before you print.
      </p>
    </section>
  );
}

/** The codes of a page, with their search. */
export function CodeList(listing: Listing) {
  const { qrs, search, isFiltered, number, hasMore, total, folders } = listing;
  const { searchParams } = useRequest().url;
  const pathOfPage = (page: number) => {
    const others = [...searchParams].filter(([name, value]) => name !== 'page' && value !== '');
    const query = new URLSearchParams([['page', String(page)], ...others]);
    return `/account/codes?${query}`;
  };
  const folder = searchParams.get('folder') ?? '';
  return (
    <>
      <div class="row between">
        <Search label="Name, note, folder, destination or code" button="Search" value={search}>
          <Choice name="folder" label="Folder" options={folderOptions(folders)} />
          <Choice name="status" label="Status" options={statusOptions} />
          <Choice name="scans" label="Scans" options={scanOptions} />
          <Choice name="archived" label="Archived" options={archivedOptions} />
          <Choice name="sort" label="Sort" options={sortOptions} />
        </Search>
        {qrs.length > 0 && <SelectionForm search={search} isFiltered={isFiltered} total={total} />}
      </div>
      {folder.startsWith('in:') && <FolderForm name={folder.slice('in:'.length)} />}
      {qrs.length === 0 ? (
        <section class="card pad stack tight">
          <h2>No codes found</h2>
          <p>
            {number > 1 || search === ''
              ? 'This page is empty.'
              : `No name, note, destination or code contains “${search}”.`}{' '}
            <Link to="/account/codes">Show all codes</Link>
          </p>
        </section>
      ) : (
        <ul class="card list">
          {qrs.map((qr) => (
            <CodeRow key={qr.id} qr={qr} />
          ))}
        </ul>
      )}
      {(number > 1 || hasMore) && (
        <nav class="row between" aria-label="Pages of the list">
          {number > 1 ? <Link to={pathOfPage(number - 1)}>Newer</Link> : <span />}
          <span>Page {formatNumber(number)}</span>
          {hasMore ? <Link to={pathOfPage(number + 1)}>Older</Link> : <span />}
        </nav>
      )}
    </>
  );
}

const selectionForm = 'selection';

/** The form that opens the page of the selected codes. */
function SelectionForm(props: Pick<Listing, 'search' | 'isFiltered' | 'total'>) {
  const { search, isFiltered, total } = props;
  const { pathname, search: query } = useRequest().url;
  return (
    <Form id={selectionForm} class="row" to="/account/selection">
      <HiddenFields values={{ q: search, list: `${pathname}${query}` }} />
      <label class="check" hidden data-check-all={selectionForm}>
        <input type="checkbox" />
        All on this page
      </label>
      <span>Edit or print:</span>
      <button type="submit" class="button">
        Selected
      </button>
      {!isFiltered && (
        <button type="submit" class="button" name="all" value="yes">
          {total === null || search !== '' ? 'All that match' : `All ${formatCount(total, 'code')}`}
        </button>
      )}
    </Form>
  );
}

type Options = readonly (readonly [value: string, text: string])[];

const statusOptions: Options = [['', 'Any'], ...qrStatuses.map((one) => [one, one] as const)];
const scanOptions: Options = [
  ['', 'Any'],
  ['never', 'Never scanned'],
  ['quiet', 'Not for 30 days'],
];
const archivedOptions: Options = [
  ['', 'No'],
  ['yes', 'Yes'],
];
const sortOptions: Options = [
  ['', 'Newest'],
  ['name', 'Name A–Z'],
  ['scans', 'Most scans'],
  ['last-scan', 'Last scanned'],
];

function folderOptions(folders: readonly Folder[]): Options {
  return [
    ['', 'All folders'],
    ...folders.map(({ name, codes }): Options[number] =>
      name === null
        ? ['none', `No folder (${formatNumber(codes)})`]
        : [`in:${name}`, `${name} (${formatNumber(codes)})`],
    ),
  ];
}

/** A choice of the query of the list. */
function Choice({ name, label, options }: { name: string; label: string; options: Options }) {
  const { searchParams } = useRequest().url;
  const current = searchParams.get(name) ?? '';
  return (
    <label class="check">
      {label}
      <select name={name}>
        {options.map(([value, text]) => (
          <option key={value} value={value} selected={value === current}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The form that renames or removes a folder. */
export const folderForm = {
  list: hiddenField(ownPath),
  folder: hiddenField((text) => text),
  name: nameField({ label: 'Name of the folder', parse: parseFolder }),
};

function FolderForm({ name }: { name: string }) {
  const { pathname, search } = useRequest().url;
  const values = { list: `${pathname}${search}`, folder: name, name };
  return (
    <FormView form={folderForm} to="/account/folders" values={values} class="row">
      <button type="submit" class="button">
        Rename folder
      </button>
      <button type="submit" class="button" name="do" value="remove">
        Remove folder
      </button>
    </FormView>
  );
}

function CodeRow({ qr }: { qr: Qr }) {
  const path = codePath(qr.code);
  return (
    <li id={anchorOf(qr)}>
      <label class="check">
        <input type="checkbox" name="code" value={qr.code} form={selectionForm} />
        <span class="hidden">Select {titleOf(qr)}</span>
      </label>
      {/* The same link as the code beside it, so keyboards and screen readers skip it. */}
      {qr.image === null ? (
        <span class="pill plain">link</span>
      ) : (
        <Link class="qr" to={path} tabIndex={-1} aria-hidden="true">
          <Image path={`${path}/image.png?size=128`} alt="" widthPx={56} />
        </Link>
      )}
      <div class="row between">
        <div class="code-where">
          <CodeLink qr={qr} />
          <CodeDestination {...qr} />
          {labelNames
            .filter((name) => name !== 'name' && qr[name] !== null)
            .map((name) => (
              <span key={name} class="code-destination hint">
                {qr[name]}
              </span>
            ))}
        </div>
        <span class="hint">
          {formatCount(qr.scans, 'scan')}
          {qr.lastScanMs !== null && [' · last scan ', <RelativeTime ms={qr.lastScanMs} />]}
        </span>
        <Rename qr={qr} />
      </div>
    </li>
  );
}
