/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { labelNames } from '../../core/codes/fields.ts';
import type { Qr } from '../../core/codes/qr.ts';
import { formatNumber } from '../../lib/numbers.ts';
import { Card } from '../ui/cards.tsx';
import { Time } from '../ui/components.tsx';
import { formatShortRelativeTime } from '../ui/formatting.ts';
import { Icon } from '../ui/icons.tsx';
import {
  Link,
  PostButton,
  TextLink,
  useHasActivePlan,
  useLocalTime,
  useMayEdit,
  useRequest,
} from '../ui/page-context.tsx';
import {
  anchorOf,
  CodeDestination,
  CodeTags,
  codePath,
  Thumbnail,
  titleOf,
} from './code-label.tsx';
import { pathOfFolder } from './folders/folders.tsx';
import { type FilterChoices, Filters } from './list-filters.tsx';
import { MiniBars } from './scans/scan-chart.tsx';
import { SelectionBar, TickCell } from './selection-bar.tsx';

/** A page of the list or of a search. */
export interface Listing extends FilterChoices {
  readonly qrs: readonly Qr[];
  /** Scans on each of the last 14 days, by the ids of the codes. */
  readonly days: ReadonlyMap<number, readonly number[]>;
  readonly title: string;
  /** Whether the account has no codes. */
  readonly isEmpty: boolean;
  /** Number of the page, from 1. */
  readonly number: number;
  readonly pageLength: number;
  /** The last page that can be shown, whatever the number of codes. */
  readonly lastPage: number;
  readonly hasMore: boolean;
  /** Null for a search. */
  readonly total: number | null;
}

/** Renders what there is to see before the first code. */
export function NoCodes() {
  if (!useMayEdit())
    return (
      <Card title="No codes yet">
        <p>The owner and editors of this account create them.</p>
      </Card>
    );
  return (
    <Card title="No codes yet">
      <p>
        Create one, or many from a table. A code’s picture never changes, so{' '}
        <TextLink to="/account/design">set your colours and logo</TextLink> before you print.
      </p>
    </Card>
  );
}

/** Renders the codes of a page, with their search and filters, and the bar of the selected ones. */
export function CodeList({ isUnknown, ...listing }: Listing & { isUnknown: boolean }) {
  const { qrs, search, number, lastPage, pageLength } = listing;
  return (
    <>
      <Filters {...listing} />
      <div class="stack" id="list">
        {qrs.length === 0 ? (
          <Card title="No codes found">
            <p>
              {isUnknown
                ? 'No code is in this folder.'
                : number > lastPage
                  ? shownUpTo(lastPage * pageLength)
                  : number > 1 || search === ''
                    ? 'This page is empty.'
                    : `No code matches “${search}”.`}{' '}
              <TextLink to="/account/codes">Show all</TextLink>
            </p>
          </Card>
        ) : (
          <Table {...listing} />
        )}
      </div>
    </>
  );
}

/** Says how far a list can be shown. */
function shownUpTo(codes: number): string {
  return `A list shows its first ${formatNumber(codes)} codes. Search for the others, or choose a folder or another filter.`;
}

/** Columns by their classes. Only screen readers read the names of some. */
const columns: readonly (readonly [name: string | undefined, head: ComponentChildren])[] = [
  [
    'c-tick',
    <label class="script-only">
      <input class="box" type="checkbox" aria-label="Select all on this page" data-check-all />
    </label>,
  ],
  ['c-qr', <span class="hidden">Picture</span>],
  [undefined, 'Name'],
  ['c-folder', 'Folder'],
  ['c-note', 'Note'],
  ['c-days', '14 days'],
  ['c-scans', 'Scans'],
  ['c-menu', <span class="hidden">Actions</span>],
];

function Table({ qrs, days, ...listing }: Listing) {
  const { url, basePath } = useLocalTime('days');
  const mayEdit = useMayEdit();
  const hasActivePlan = useHasActivePlan();
  const list = `${url.pathname}${url.search}`;
  const back = String(new URLSearchParams({ list }));
  const top = Math.max(0, ...qrs.flatMap((qr) => days.get(qr.id) ?? []));
  return (
    <>
      <section class="card" aria-label="Codes">
        <table
          class={listing.inFolder === null ? 'codes' : 'codes in-folder'}
          data-menu={`menu?${back}`}
          data-edit={mayEdit && hasActivePlan ? `destination?${back}` : undefined}
        >
          <thead>
            <tr>
              {columns
                .filter(([name]) => mayEdit || name !== 'c-tick')
                .map(([name, head]) => (
                  <th key={name} scope="col" class={name}>
                    {head}
                  </th>
                ))}
            </tr>
          </thead>
          <tbody>
            {qrs.map((qr) => (
              <Row
                key={qr.id}
                qr={qr}
                days={days.get(qr.id) ?? []}
                top={top}
                basePath={basePath}
                hasTick={mayEdit}
              />
            ))}
          </tbody>
        </table>
        <div class="menu" id={rowMenu} popover="auto" />
        <Pages {...listing} shown={qrs.length} />
      </section>
      {mayEdit && <SelectionBar list={list} search={listing.search} total={listing.total} />}
    </>
  );
}

const rowMenu = 'code-menu';

/** Labels without a column of their own. */
const otherLabels = labelNames.filter((name) => !['name', 'note', 'folder', 'path'].includes(name));

interface RowProps {
  readonly qr: Qr;
  readonly days: readonly number[];
  /** The most scans that a code of the page has on a day. */
  readonly top: number;
  readonly basePath: string;
  readonly hasTick: boolean;
}

/**
 * Renders a row.
 * A page has many: they have few elements, and what is the same in each is in the style sheet.
 */
function Row({ qr, days, top, basePath, hasTick }: RowProps) {
  const path = `${basePath}${codePath(qr.code)}`;
  const title = titleOf(qr);
  return (
    <tr id={anchorOf(qr)}>
      {hasTick && <TickCell code={qr.code} title={title} />}
      <td class="c-qr">
        <Thumbnail qr={qr} />
      </td>
      <td>
        <a class="name" href={path} dir="auto">
          {title}
        </a>
        {(qr.status !== 'active' || qr.isArchived || qr.flag !== null) && <CodeTags qr={qr} />}
        <CodeDestination {...qr} />
        {qr.path !== null && <bdi class="sub">/{qr.path}</bdi>}
      </td>
      <td class="c-folder">
        {qr.folder !== null && (
          <TextLink to={pathOfFolder(qr.folder)} dir="auto">
            {qr.folder}
          </TextLink>
        )}
      </td>
      <td class="c-note">
        {qr.note !== null && <bdi>{qr.note}</bdi>}
        {otherLabels.map(
          (name) =>
            qr[name] !== null && (
              <div key={name}>
                <bdi>{qr[name]}</bdi>
              </div>
            ),
        )}
      </td>
      <td class="c-days">
        <MiniBars scans={days} top={top} />
      </td>
      <td class="c-scans">
        <b>{formatNumber(qr.scans)}</b>
        {qr.lastScanMs === null ? (
          qr.scans === 0 && <span class="sub">never</span>
        ) : (
          <Time class="sub" ms={qr.lastScanMs} format={formatShortRelativeTime} />
        )}
      </td>
      <td class="c-menu">
        <button
          type="button"
          class="button plain small dots script-only"
          popovertarget={rowMenu}
          aria-label={`Actions for ${title}`}
        />
      </td>
    </tr>
  );
}

/**
 * The entries of the menu of a row.
 * The script loads them when it opens; without it, the page of the code has them.
 */
export function RowMenu({ qr, list }: { qr: Qr; list: string }) {
  const hasActivePlan = useHasActivePlan();
  const { basePath } = useRequest();
  const path = codePath(qr.code);
  const picture = `${path}/image.png?size=1024`;
  const back = new URLSearchParams({ list });
  const isPaused = qr.status === 'paused';
  return (
    <>
      <Link to={path} icon="open">
        Open
      </Link>
      {hasActivePlan && (
        <Link to={`${path}/destination?${back}`} data-dialog data-shortcut="e" icon="edit">
          Change destination…
        </Link>
      )}
      <Link to={`${path}/labels?${back}`} data-dialog icon="docs">
        Rename, note…
      </Link>
      <Link to={`${path}/folder?${back}`} data-dialog icon="folder">
        Move to folder…
      </Link>
      {qr.image !== null && (
        <>
          <Link to={picture} download icon="download">
            Download PNG
          </Link>
          <button type="button" class="script-only" data-copy-image={`${basePath}${picture}`}>
            <Icon name="copy" />
            Copy picture
          </button>
        </>
      )}
      {isPaused && (
        <PostButton to={`${path}/resume`} values={{ list }} class="" icon="play">
          Resume
        </PostButton>
      )}
      {qr.status === 'active' && (
        <Link to={`${path}/pause?${back}`} data-dialog icon="pause">
          Pause…
        </Link>
      )}
    </>
  );
}

interface PagesProps
  extends Pick<Listing, 'number' | 'pageLength' | 'lastPage' | 'hasMore' | 'total'> {
  readonly shown: number;
}

function Pages({ number, pageLength, lastPage, hasMore, total, shown }: PagesProps) {
  const { searchParams } = useRequest().url;
  const others = [...searchParams].filter(([name, value]) => name !== 'page' && value !== '');
  const pathOfPage = (page: number) =>
    `/account/codes?${new URLSearchParams([['page', String(page)], ...others])}`;
  const first = (number - 1) * pageLength + 1;
  return (
    <nav class="pages" aria-label="Pages of the list">
      <span class="small soft">
        {formatNumber(first)}–{formatNumber(first + shown - 1)}
        {total !== null && ` of ${formatNumber(total)}`}
        {total !== null && total > pageLength && (
          <span class="page-number">
            {' '}
            · page {formatNumber(number)} of{' '}
            {formatNumber(Math.min(lastPage, Math.ceil(total / pageLength)))}
          </span>
        )}
        {hasMore && number === lastPage && `. ${shownUpTo(lastPage * pageLength)}`}
      </span>
      <span class="grow" />
      <Link
        class="button small plain"
        to={`/account/codes.csv?${new URLSearchParams(others)}`}
        download
      >
        Export as CSV
      </Link>
      {number > 1 && (
        <Link class="button small" to={pathOfPage(number - 1)} icon="back">
          Previous
        </Link>
      )}
      {hasMore && number < lastPage && (
        <Link class="button small" to={pathOfPage(number + 1)} data-next>
          Next
          <Icon name="next" />
        </Link>
      )}
    </nav>
  );
}
