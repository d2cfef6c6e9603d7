/** @jsxImportSource preact */
import { labelNames } from '../../core/codes/fields.ts';
import type { Qr } from '../../core/codes/qr.ts';
import { formatCount, formatNumber } from '../../lib/numbers.ts';
import { Image, RelativeTime, Search } from '../ui/components.tsx';
import { Form, HiddenFields, Link, useRequest } from '../ui/page-context.tsx';
import { Rename } from './code-forms.tsx';
import { anchorOf, CodeDestination, CodeLink, codePath, titleOf } from './code-label.tsx';
import type { ScanFilter } from './scan-filter.ts';

/** A page of the list or of a search. */
export interface Listing {
  readonly qrs: readonly Qr[];
  /** Empty for the list. */
  readonly search: string;
  readonly filter: ScanFilter | null;
  /** Number of the page, from 1. */
  readonly number: number;
  readonly hasOlder: boolean;
  /** Number of codes in the list; null for a search. */
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
export function CodeList({ qrs, search, filter, number, hasOlder, total }: Listing) {
  return (
    <>
      <div class="row between">
        <Search label="Name, note, destination or code" button="Search" value={search}>
          {filter !== null && <input type="hidden" name="scans" value={filter} />}
        </Search>
        {qrs.length > 0 && <SelectionForm search={search} filter={filter} total={total} />}
      </div>
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
      {(number > 1 || hasOlder) && (
        <nav class="row between" aria-label="Pages of the list">
          {number > 1 ? <Link to={pathOfPage(number - 1, search, filter)}>Newer</Link> : <span />}
          <span>Page {formatNumber(number)}</span>
          {hasOlder ? <Link to={pathOfPage(number + 1, search, filter)}>Older</Link> : <span />}
        </nav>
      )}
    </>
  );
}

const selectionForm = 'selection';

/** The form that opens the page of the selected codes. */
function SelectionForm({ search, filter, total }: Pick<Listing, 'search' | 'filter' | 'total'>) {
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
      {filter === null && (
        <button type="submit" class="button" name="all" value="yes">
          {total === null ? 'All that match' : `All ${formatCount(total, 'code')}`}
        </button>
      )}
    </Form>
  );
}

function pathOfPage(number: number, search: string, filter: ScanFilter | null): string {
  const query = new URLSearchParams({
    page: String(number),
    ...(search !== '' && { q: search }),
    ...(filter !== null && { scans: filter }),
  });
  return `/account/codes?${query}`;
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
