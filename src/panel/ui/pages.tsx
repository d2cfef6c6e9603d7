/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { Icon } from './icons.tsx';
import { Link, useTexts } from './page-context.tsx';

interface PagesProps {
  readonly label: string;
  /** Number of the page, from 1. */
  readonly number: number;
  readonly pageLength: number;
  /** How many are on the page. */
  readonly shown: number;
  /** How many there are; null for too many to count. */
  readonly total: number | null;
  /** Whether there is a next page. */
  readonly hasMore: boolean;
  /** The last page that can be shown, whatever the total. */
  readonly lastPage?: number;
  pathOf(page: number): string;
  /** What follows the range. */
  readonly note?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** Renders the line below a page of a list: what it shows, and links to the other pages. */
export function Pages({ label, number, shown, total, pathOf, ...props }: PagesProps) {
  const t = useTexts();
  const { pageLength, hasMore, lastPage = Number.POSITIVE_INFINITY, note, children } = props;
  const first = (number - 1) * pageLength + 1;
  const last = first + shown - 1;
  const pages = total === null ? number + Number(hasMore) : Math.ceil(total / pageLength);
  const hasNext = hasMore && number < lastPage;
  return (
    <nav class="pages" aria-label={label}>
      <span class="small soft">
        {total === null ? t.pager.range({ first, last }) : t.pager.rangeOf({ first, last, total })}
        {note}
      </span>
      <span class="grow" />
      {children}
      {(number > 1 || hasNext) && (
        <span class="ways">
          {number > 1 && (
            <Link class="button small" to={pathOf(number - 1)} icon="back">
              {t.pager.previous}
            </Link>
          )}
          <PageNumbers number={number} last={Math.min(pages, lastPage)} pathOf={pathOf} />
          {hasNext && (
            <Link class="button small" to={pathOf(number + 1)} data-next>
              {t.pager.next}
              <Icon name="next" />
            </Link>
          )}
        </span>
      )}
    </nav>
  );
}

type NumbersProps = Pick<PagesProps, 'number' | 'pathOf'> & { readonly last: number };

/** Renders links to the first page, the last one, and those around the current one. */
function PageNumbers({ number, last, pathOf }: NumbersProps) {
  const t = useTexts();
  const near = [1, number - 1, number, number + 1, last];
  const shown = [...new Set(near)].filter((page) => page >= 1 && page <= last);
  return (
    <span class="numbers soft">
      {shown.map((page, at) => [
        page - (shown[at - 1] ?? 0) > 1 && <span key={`before ${page}`}>…</span>,
        <Link
          key={page}
          class="button plain small"
          to={pathOf(page)}
          aria-label={t.pager.page({ page })}
          aria-current={page === number ? 'page' : undefined}
        >
          {t.formats.number(page)}
        </Link>,
      ])}
    </span>
  );
}
