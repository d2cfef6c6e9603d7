/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { type LabelName, textLabels } from '../../core/codes/fields.ts';
import { chartDays } from '../../core/codes/lists/lists.ts';
import type { PeriodLength } from '../../core/codes/lists/period-lists.ts';
import type { Qr } from '../../core/codes/qr.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import type { Said } from '../../languages/texts.ts';
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
  useTexts,
} from '../ui/page-context.tsx';
import { Pages } from '../ui/pages.tsx';
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
  readonly title: Said;
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
  const { list: t } = useTexts();
  return (
    <Card title={t.noCodesYet}>
      <p>
        {useMayEdit()
          ? t.createOne<ComponentChildren>({
              design: (text) => <TextLink to="/account/design">{text}</TextLink>,
            })
          : t.whoCreates}
      </p>
    </Card>
  );
}

/** Renders the codes of a page, with their search and filters, and the bar of the selected ones. */
export function CodeList({ isUnknown, ...listing }: Listing & { isUnknown: boolean }) {
  const { qrs, search, near, number, lastPage, pageLength, isCounting } = listing;
  const { url } = useRequest();
  const t = useTexts();
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
              {t.scans.counting}
            </p>
          </section>
        ) : qrs.length === 0 ? (
          <Card title={t.list.noneFound}>
            <p>
              {isUnknown
                ? t.list.folderEmpty
                : number > lastPage
                  ? t.list.shownUpTo({ codes: lastPage * pageLength })
                  : number > 1 || search === ''
                    ? t.list.pageEmpty
                    : t.list.noMatch({ search })}{' '}
              <TextLink to="/account/codes">{t.list.showAll}</TextLink>
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
      {useTexts().list.nearMatch({ search: <bdi>{search}</bdi>, near: <bdi>{near}</bdi> })}
    </p>
  );
}

/** Heads of columns by their classes. Only screen readers read the names of some. */
const columns = {
  'c-tick': ({ list }) => (
    <label class="script-only">
      <input class="box" type="checkbox" aria-label={list.selectPage} data-check-all />
    </label>
  ),
  'c-qr': ({ list }) => <span class="hidden">{list.picture}</span>,
  'c-name': ({ list }) => list.nameOfCode,
  'c-folder': ({ list }) => list.folder,
  'c-domain': ({ list }) => list.domain,
  'c-note': ({ list }) => list.note,
  'c-days': ({ list }) => list.lastDays({ days: chartDays }),
  'c-scans': ({ list }) => list.scans,
  'c-menu': ({ list }) => <span class="hidden">{list.actions}</span>,
} as const satisfies Readonly<Record<string, (t: Texts) => ComponentChildren>>;
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
  const t = useTexts();
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
    <section class="card" aria-label={t.list.title}>
      <table
        class="codes"
        data-menu={`menu?${back}`}
        data-edit={mayEdit && hasActivePlan ? `destination?${back}` : undefined}
      >
        <thead>
          <tr>
            {shown.map((name) => (
              <th key={name} scope="col" class={name}>
                {name === 'c-scans' && period !== null ? scansHead(period, t) : columns[name](t)}
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
function scansHead({ days }: ListPeriod, { list, scans }: Texts): ComponentChildren {
  return (
    <>
      <span class="hidden">{scans.inLastDays({ days })}</span>
      <span aria-hidden="true">{list.lastDays({ days })}</span>
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
  const t = useTexts();
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
        <b>{t.formats.number(scans)}</b>
        {qr.lastScanMs === null ? (
          qr.scans === 0 && <span class="sub">{t.list.neverYet}</span>
        ) : (
          <Time class="sub" ms={qr.lastScanMs} format={formatShortRelativeTime} />
        )}
      </td>
      <td class="c-menu">
        <button
          type="button"
          class="button plain small dots script-only"
          popovertarget={rowMenu}
          aria-label={t.common.actionsFor({ name: title })}
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
  const { rowMenu: t } = useTexts();
  const path = codePath(qr.code);
  const picture = `${path}/image.png?size=1024`;
  const back = new URLSearchParams({ list });
  const isPaused = qr.status === 'paused';
  return (
    <>
      <Link to={path} icon="open">
        {t.open}
      </Link>
      {hasActivePlan && (
        <Link to={`${path}/destination?${back}`} data-dialog data-shortcut="e" icon="edit">
          {t.changeDestination}
        </Link>
      )}
      <Link to={`${path}/labels?${back}`} data-dialog icon="docs">
        {t.rename}
      </Link>
      <Link to={`${path}/folder?${back}`} data-dialog icon="folder">
        {t.moveToFolder}
      </Link>
      {qr.image !== null && (
        <>
          <Link to={picture} download icon="download">
            {t.downloadPng}
          </Link>
          <button type="button" class="script-only" data-copy-image={`${basePath}${picture}`}>
            <Icon name="copy" />
            {t.copyPicture}
          </button>
        </>
      )}
      {isPaused && (
        <PostButton to={`${path}/resume`} values={{ list }} class="" icon="play">
          {t.resume}
        </PostButton>
      )}
      {qr.status === 'active' && (
        <Link to={`${path}/pause?${back}`} data-dialog icon="pause">
          {t.pause}
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
  const { list: t } = useTexts();
  const others = [...searchParams].filter(([name, value]) => name !== 'page' && value !== '');
  const exported = others.map(([name, value]) => [name, name === 'q' ? (near ?? value) : value]);
  return (
    <Pages
      label={t.pages}
      {...{ number, pageLength, lastPage, hasMore, total }}
      shown={qrs.length}
      pathOf={(page) =>
        `/account/codes?${new URLSearchParams([['page', String(page)], ...others])}`
      }
      note={hasMore && number === lastPage && ` · ${t.shownUpTo({ codes: lastPage * pageLength })}`}
    >
      <Link
        class="button small plain"
        to={`/account/codes.csv?${new URLSearchParams(exported)}`}
        download
      >
        {t.export}
      </Link>
    </Pages>
  );
}
