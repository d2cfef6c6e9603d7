/** @jsxImportSource preact */
import { periodLengths } from '../../core/codes/lists/period-lists.ts';
import { type CodeFilter, type CodeSort, codeSorts, type Folder } from '../../core/codes/ports.ts';
import { qrStatuses } from '../../core/codes/qr.ts';
import { beginOfDay, lastDays } from '../../core/scans/days.ts';
import { quietDays } from '../../core/scans/overview.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import type { Said } from '../../languages/texts.ts';
import { pageNotFound } from '../routing/errors.tsx';
import { SearchField } from '../ui/components.tsx';
import { type Choice, QuerySelect } from '../ui/fields.tsx';
import type { LocalTime } from '../ui/formatting.ts';
import { Submit, useRequest, useTexts } from '../ui/page-context.tsx';

/** A longer search is cut. */
export const maxSearchLength = 200;

/**
 * Reads what the query of the list selects, in which order, and the title of that.
 *
 * Its parts are `folder` (`none`, or `in:` and a name), `status` (or `flagged`), `design` (an id), `scans` (`never` or
 * `quiet`), `archived=yes`, `period` (days whose scans are shown, and by which `sort=scans` sorts) and `sort`.
 *
 * @throws PanelError 404 for any other value: all codes would look as if they were selected by it
 */
export function readListQuery({ searchParams }: URL, { nowMs, zone }: LocalTime) {
  const get = (name: keyof typeof queryValues) => {
    const value = searchParams.get(name) ?? '';
    if (value !== '' && !queryValues[name](value)) throw pageNotFound();
    return value;
  };
  const folder = get('folder');
  const status = qrStatuses.find((one) => one === get('status'));
  const design = get('design');
  const scans = get('scans');
  const isArchived = get('archived') === 'yes';
  const isNever = scans === 'never';
  const isQuiet = scans === 'quiet';
  const filter: CodeFilter = {
    ...(folder === 'none' && { folder: null }),
    ...(folder.startsWith('in:') && { folder: folder.slice('in:'.length) }),
    ...(status !== undefined && { status }),
    ...(get('status') === 'flagged' && { isFlagged: true }),
    ...(design !== '' && { designId: Number(design) }),
    ...(isNever && { isNeverScanned: true }),
    ...(isQuiet && { quietSinceMs: beginOfDay(lastDays(quietDays, nowMs, zone).first, zone) }),
    ...(isArchived && { isArchived }),
  };
  const title: Said = isNever
    ? (t) => t.list.neverScanned
    : isQuiet
      ? (t) => t.list.quiet({ days: quietDays })
      : isArchived
        ? (t) => t.list.archived
        : folder.startsWith('in:')
          ? folder.slice('in:'.length)
          : folder === 'none'
            ? (t) => t.list.noFolder
            : (t) => t.list.title;
  return {
    filter,
    inFolder: filter.folder ?? null,
    period: periodLengths.find((days) => String(days) === get('period')) ?? null,
    sort: codeSorts.find((one) => one === get('sort')) ?? 'newest',
    title,
  };
}

/** Reads the number of a page from the query of its list. @throws PanelError 404 for what is none */
export function readPageNumber({ searchParams }: URL): number {
  const text = searchParams.get('page') || '1';
  if (!/^[1-9]\d*$/.test(text)) throw pageNotFound();
  return Number(text);
}

/** Whether a value of the address is one that the page knows. */
const queryValues = {
  folder: (value: string) => /^none$|^in:./su.test(value),
  status: oneOf([...qrStatuses, 'flagged']),
  design: (value: string) => /^\d{1,15}$/.test(value),
  scans: oneOf(['never', 'quiet']),
  archived: oneOf(['yes']),
  period: oneOf(periodLengths.map(String)),
  sort: oneOf(codeSorts),
} as const;

function oneOf(words: readonly string[]) {
  return (value: string) => words.includes(value);
}

/** What the filters of an account choose from. */
export interface FilterChoices {
  /** Empty for the list. */
  readonly search: string;
  /** The folder whose codes are listed; null for others. */
  readonly inFolder: string | null;
  readonly folders: readonly Folder[];
  /** Names and ids of the saved designs. */
  readonly designs: readonly { readonly name: string; readonly designId: number }[];
}

const statuses: readonly Choice[] = [
  { value: '', text: ({ filters }) => filters.anyStatus },
  ...(['active', 'paused', 'blocked', 'flagged'] as const).map((status) => ({
    value: status,
    text: ({ filters }: Texts) => filters.statusOf({ status }),
  })),
];
const scanCounts: readonly Choice[] = [
  { value: '', text: ({ filters }) => filters.anyScans },
  { value: 'never', text: ({ list }) => list.neverScanned },
  { value: 'quiet', text: ({ filters }) => filters.quiet({ days: quietDays }) },
];
const periods: readonly Choice[] = [
  { value: '', text: ({ filters }) => filters.allTime },
  ...periodLengths.map((days) => ({
    value: String(days),
    text: ({ scans }: Texts) => scans.lastDays({ days }),
  })),
];
const archived: readonly Choice[] = [
  { value: '', text: ({ filters }) => filters.notArchived },
  { value: 'yes', text: ({ filters }) => filters.onlyArchived },
];
const sorts: readonly (Choice & { readonly value: CodeSort | '' })[] = [
  { value: '', text: ({ filters }) => filters.newestFirst },
  { value: 'name', text: ({ filters }) => filters.byName },
  { value: 'scans', text: ({ filters }) => filters.mostScans },
  { value: 'last-scan', text: ({ filters }) => filters.lastScanned },
];

/** What the button of phones counts: the period and the order leave no code out. */
const countedFilters = ['folder', 'status', 'scans', 'design', 'archived'] as const;

/** Renders the search and the filters, which phones show in a sheet. The script sends them by itself. */
export function Filters({ search, folders, designs, inFolder }: FilterChoices) {
  const { searchParams } = useRequest().url;
  const { filters: t } = useTexts();
  const isOpen = ['scans', 'design', 'archived'].some((name) => searchParams.get(name));
  return (
    <search>
      <form class="tools" data-filters>
        <SearchField
          label={inFolder === null ? t.search : t.searchIn({ folder: inFolder })}
          value={search}
          maxLength={maxSearchLength}
        />
        <button type="button" class="button phone-only" popovertarget="filters">
          {t.open({ count: countedFilters.filter((name) => searchParams.get(name)).length })}
        </button>
        <div class="pop filters" id="filters" popover="auto">
          <QuerySelect name="folder" label={t.folder} options={folderOptions(folders)} />
          <QuerySelect name="status" label={t.status} options={statuses} />
          <span class="grow" />
          <QuerySelect name="period" label={t.scansOf} options={periods} />
          <QuerySelect name="sort" label={t.sortBy} options={sorts} />
          <Submit class="button no-script">{t.apply}</Submit>
          <details class="more" open={isOpen}>
            <summary>{t.more}</summary>
            <div class="tools">
              <QuerySelect name="scans" label={t.scans} options={scanCounts} />
              {designs.length > 0 && (
                <QuerySelect
                  name="design"
                  label={t.design}
                  options={[
                    { value: '', text: t.anyDesign },
                    ...designs.map(({ name, designId }) => ({
                      value: String(designId),
                      text: name,
                    })),
                  ]}
                />
              )}
              <QuerySelect name="archived" label={t.archived} options={archived} />
            </div>
          </details>
        </div>
      </form>
    </search>
  );
}

function folderOptions(folders: readonly Folder[]): Choice[] {
  const named = folders.map(({ name: folder, codes }): Choice => {
    if (folder === null)
      return {
        value: 'none',
        text: ({ list, filters }) =>
          codes === null ? list.noFolder : filters.noFolderOf({ codes }),
      };
    return {
      value: `in:${folder}`,
      text: codes === null ? folder : ({ filters }) => filters.folderOf({ folder, codes }),
    };
  });
  return [{ value: '', text: ({ filters }) => filters.allFolders }, ...named];
}
