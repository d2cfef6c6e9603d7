/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { type LabelName, textLabels } from '../../core/codes/fields.ts';
import type { PeriodLength } from '../../core/codes/lists/period-lists.ts';
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
import { Pages } from '../ui/pages.tsx';
import { countingSentence, scansOfPhrase } from '../ui/sentences/scans.ts';
import {
  anchorOf,
  CodeDestination,
  CodeTags,
  codePath,
  domainOf,
  otherDomainOf,
  Thumbnail,
  titleOf,
} from './code-label.tsx';
import { pathOfFolder } from './folders/folders.tsx';
import { type FilterChoices, Filters } from './list-filters.tsx';
import { MiniBars } from './scans/scan-chart.tsx';
import { SelectionBar, TickCell } from './selection-bar.tsx';

/** Last days, and the scans of the listed codes in them, by their ids. */
interface ListPeriod {
  readonly days: PeriodLength;
  readonly scans: ReadonlyMap<number, number>;
}

/** A page of the list or of a search. */
export interface Listing extends FilterChoices {
  readonly qrs: readonly Qr[];
  /** Scans on each of the last 14 days, by the ids of the codes. */
  readonly days: ReadonlyMap<number, readonly number[]>;
  /** The period whose scans are shown; null for all scans. */
  readonly period: ListPeriod | null;
  /** Whether the codes are still being sorted by its scans. */
  readonly isCounting: boolean;
  readonly title: string;
  /** Whether the account has no codes. */
  readonly isEmpty: boolean;
  /** Number of the page, from 1. */
  readonly number: number;
  readonly pageLength: number;
  /** The last page that can be shown, whatever the number of codes. */
  readonly lastPage: number;
  readonly hasMore: boolean;
  /** What is shown instead of a search that finds nothing; null for the search itself. */
  readonly near: string | null;
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
  const { qrs, search, near, number, lastPage, pageLength, isCounting } = listing;
  const { url } = useRequest();
  const mayEdit = useMayEdit();
  const list = `${url.pathname}${url.search}`;
  return (
    <>
      <Filters {...listing} />
      <div class="stack" id="list">
        {near !== null && <NearNote search={search} near={near} />}
        {isCounting ? (
          <section class="card pad">
            <p class="soft" role="status">
              {countingSentence}
            </p>
          </section>
        ) : qrs.length === 0 ? (
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
          <>
            <CodeTable {...listing} isInFolder={listing.inFolder !== null}>
              <ListPages {...listing} />
            </CodeTable>
            {mayEdit && <SelectionBar list={list} search={near ?? search} total={listing.total} />}
          </>
        )}
      </div>
    </>
  );
}

/** Says that a list has something near to what was sought. */
export function NearNote({ search, near }: { search: string; near: string }) {
  return (
    <p class="soft">
      No code matches “<bdi>{search}</bdi>”. These match “<bdi>{near}</bdi>”, which is near.
    </p>
  );
}

/** Says how far a list can be shown. */
function shownUpTo(codes: number): string {
  return `A list shows its first ${formatNumber(codes)} codes. Search for the others, or choose a folder or another filter.`;
}

/** Columns by their classes. Only screen readers read the names of some. */
const columns = {
  'c-tick': (
    <label class="script-only">
      <input class="box" type="checkbox" aria-label="Select all on this page" data-check-all />
    </label>
  ),
  'c-qr': <span class="hidden">Picture</span>,
  'c-name': 'Name',
  'c-folder': 'Folder',
  'c-domain': 'Domain',
  'c-note': 'Note',
  'c-days': '14 days',
  'c-scans': 'Scans',
  'c-menu': <span class="hidden">Actions</span>,
} as const satisfies Readonly<Record<string, ComponentChildren>>;
type Column = keyof typeof columns;
// The cast is safe: these are all keys of the table.
const columnNames = Object.keys(columns) as Column[];

interface TableProps extends Pick<Listing, 'qrs' | 'days'> {
  /** Whether all codes are in one folder, which the page names. */
  readonly isInFolder?: boolean;
  /** The period whose scans are shown; all scans when left out. */
  readonly period?: ListPeriod | null;
  /** What stands below the rows. */
  readonly children: ComponentChildren;
}

/** Renders codes as the rows of a table, without the columns that none of them fills. */
export function CodeTable({ qrs, days, period = null, isInFolder = false, children }: TableProps) {
  const { url, basePath, shortUrl } = useLocalTime('days');
  const mayEdit = useMayEdit();
  const hasActivePlan = useHasActivePlan();
  const list = `${url.pathname}${url.search}`;
  const back = String(new URLSearchParams({ list }));
  const top = Math.max(0, ...qrs.flatMap((qr) => days.get(qr.id) ?? []));
  const isFilled: Readonly<Partial<Record<Column, boolean>>> = {
    'c-tick': mayEdit,
    'c-folder': !isInFolder && qrs.some(({ folder }) => folder !== null),
    'c-domain': qrs.some((qr) => otherDomainOf(qr, shortUrl) !== null),
    'c-note': qrs.some((qr) => notesOf(qr).length > 0),
    'c-days': top > 0,
  };
  const shown = columnNames.filter((name) => isFilled[name] !== false);
  return (
    <section class="card" aria-label="Codes">
      <table
        class="codes"
        data-menu={`menu?${back}`}
        data-edit={mayEdit && hasActivePlan ? `destination?${back}` : undefined}
      >
        <thead>
          <tr>
            {shown.map((name) => (
              <th key={name} scope="col" class={name}>
                {name === 'c-scans' && period !== null ? scansHead(period) : columns[name]}
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
              scans={period === null ? qr.scans : (period.scans.get(qr.id) ?? 0)}
              basePath={basePath}
              shortUrl={shortUrl}
              has={(name) => shown.includes(name)}
            />
          ))}
        </tbody>
      </table>
      <div class="menu" id={rowMenu} popover="auto" />
      {children}
    </section>
  );
}

/** Names the column of the scans in a period. */
function scansHead({ days }: ListPeriod): ComponentChildren {
  return (
    <>
      <span class="hidden">{scansOfPhrase(days)}</span>
      <span aria-hidden="true">{days} days</span>
    </>
  );
}

const rowMenu = 'code-menu';

/** Labels that stand in the column of notes. */
const noteLabels = ['note', ...textLabels].filter(
  (name, at): name is Exclude<LabelName, 'name' | 'folder' | 'path' | 'query'> =>
    at === 0 || !['name', 'note', 'folder', 'path'].includes(name),
);
const notesOf = (qr: Qr) => noteLabels.flatMap((name) => qr[name] ?? []);

interface RowProps {
  readonly qr: Qr;
  readonly days: readonly number[];
  /** The most scans that a code of the page has on a day. */
  readonly top: number;
  /** Scans in the period of the list. */
  readonly scans: number;
  readonly basePath: string;
  /** The main domain. */
  readonly shortUrl: string;
  readonly has: (column: Column) => boolean;
}

/**
 * Renders a row.
 * A page has many: they have few elements, and what is the same in each is in the style sheet.
 */
function Row({ qr, days, top, scans, basePath, shortUrl, has }: RowProps) {
  const other = otherDomainOf(qr, shortUrl);
  const path = `${basePath}${codePath(qr.code)}`;
  const title = titleOf(qr);
  return (
    <tr id={anchorOf(qr)}>
      {has('c-tick') && <TickCell code={qr.code} title={title} />}
      <td class="c-qr">
        <Thumbnail qr={qr} />
      </td>
      <td>
        <a class="name" href={path} dir="auto">
          {title}
        </a>
        {(qr.status !== 'active' || qr.isArchived || qr.flag !== null) && <CodeTags qr={qr} />}
        {other !== null && [
          ' ',
          <span key="domain" class="pill plain phone-only">
            <bdi>{other}</bdi>
          </span>,
        ]}
        <CodeDestination {...qr} />
        {qr.path !== null && <bdi class="sub">/{qr.path}</bdi>}
      </td>
      {has('c-folder') && (
        <td class="c-folder">
          {qr.folder !== null && (
            <TextLink to={pathOfFolder(qr.folder)} dir="auto">
              {qr.folder}
            </TextLink>
          )}
        </td>
      )}
      {has('c-domain') && (
        <td class={other === null ? 'c-domain soft' : 'c-domain'}>
          <bdi>{domainOf(qr)}</bdi>
        </td>
      )}
      {has('c-note') && (
        <td class="c-note">
          {notesOf(qr).map((text, at) => (
            <div key={noteLabels[at]}>
              <bdi>{text}</bdi>
            </div>
          ))}
        </td>
      )}
      {has('c-days') && (
        <td class="c-days">
          <MiniBars scans={days} top={top} />
        </td>
      )}
      <td class="c-scans">
        <b>{formatNumber(scans)}</b>
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

type ListPagesProps = Pick<
  Listing,
  'qrs' | 'near' | 'number' | 'pageLength' | 'lastPage' | 'hasMore' | 'total'
>;

function ListPages({ qrs, near, number, pageLength, lastPage, hasMore, total }: ListPagesProps) {
  const { searchParams } = useRequest().url;
  const others = [...searchParams].filter(([name, value]) => name !== 'page' && value !== '');
  const exported = others.map(([name, value]) => [name, name === 'q' ? (near ?? value) : value]);
  return (
    <Pages
      label="Pages of the list"
      {...{ number, pageLength, lastPage, hasMore, total }}
      shown={qrs.length}
      pathOf={(page) =>
        `/account/codes?${new URLSearchParams([['page', String(page)], ...others])}`
      }
      note={hasMore && number === lastPage && `. ${shownUpTo(lastPage * pageLength)}`}
    >
      <Link
        class="button small plain"
        to={`/account/codes.csv?${new URLSearchParams(exported)}`}
        download
      >
        Export as CSV
      </Link>
    </Pages>
  );
}
