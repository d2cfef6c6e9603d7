/** @jsxImportSource preact */

import { type DayRange, dayOf, daysIn, lastDays } from '../../../core/scans/days.ts';
import type { Texts } from '../../../languages/generated/texts.ts';
import { formatCount } from '../../../lib/numbers.ts';
import { type RequestContext, setCookie } from '../../request/request.ts';
import { pageNotFound } from '../../routing/errors.tsx';
import { formatDayRange, type LocalTime } from '../../ui/formatting.ts';
import { Icon } from '../../ui/icons.tsx';
import {
  HiddenFields,
  type HiddenValues,
  Link,
  Submit,
  useRequest,
} from '../../ui/page-context.tsx';
import { lastDaysPhrase } from '../../ui/sentences/scans.ts';

/** Lengths of charts that end today. */
const lengths = [7, 30, 365] as const;
type Length = (typeof lengths)[number];

/** The days that a chart shows. */
export interface ChartPeriod {
  readonly range: DayRange;
  /** The number of last days; null for days of one's choice. */
  readonly length: Length | null;
  /** Why the days that were chosen are not shown. */
  readonly problem: string | null;
}

// A chart reads all hours of its days, and those of as many days before.
const maxDays = 731;
const oldestDay = '2000-01-01';

/**
 * Reads the days of a chart from the query of its page:
 * `days`, or `since` and `until`. Without them, the browser's last choice.
 */
export function readChartPeriod({
  url,
  nowMs,
  zone,
  texts,
  preferences,
}: RequestContext): ChartPeriod {
  const { searchParams } = url;
  const lengthOf = (text: string | null) => lengths.find((one) => String(one) === text);
  const last = (length: Length) => ({ range: lastDays(length, nowMs, zone), length });
  const days = searchParams.get('days') || null;
  const chosen = lengthOf(days);
  if (days !== null && chosen === undefined) throw pageNotFound();
  const since = searchParams.get('since');
  const until = searchParams.get('until');
  if (chosen === undefined && (since !== null || until !== null)) {
    const range = parseRange(since ?? '', until ?? '', { nowMs, zone, texts });
    return typeof range === 'string'
      ? { range: lastDays(30, nowMs, zone), length: null, problem: range }
      : { range, length: null, problem: null };
  }
  return { ...last(chosen ?? lengthOf(preferences.days) ?? 30), problem: null };
}

/** Makes the browser keep the length that was chosen on a page. */
export function keepChartLength<R extends Response>(
  { url, isSecure }: RequestContext,
  { length }: ChartPeriod,
  response: R,
): R {
  if (length !== null && url.searchParams.has('days'))
    response.headers.append('Set-Cookie', setCookie('days', String(length), isSecure));
  return response;
}

/** Parses the first and the last day of a range. Returns what is wrong with it otherwise. */
function parseRange(since: string, until: string, { nowMs, zone }: LocalTime): DayRange | string {
  const first = parseDay(since);
  const last = parseDay(until);
  if (first === null || last === null) return 'Choose the first and the last day.';
  const { compare } = Temporal.PlainDate;
  if (compare(first, last) > 0) return 'The first day is after the last one.';
  if (compare(first, oldestDay) < 0) return 'Choose days from the year 2000 on.';
  if (compare(last, dayOf(nowMs, zone)) > 0) return 'The last day is in the future.';
  if (daysIn({ first, last }) > maxDays)
    return `These are ${formatCount(daysIn({ first, last }), 'day')}. Choose up to two years.`;
  return { first, last };
}

function parseDay(text: string): Temporal.PlainDate | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Returns fields by their names, which may come several times. */
function groupFields(fields: readonly (readonly [name: string, value: string])[]): HiddenValues {
  const groups = Map.groupBy(fields, ([name]) => name);
  return Object.fromEntries(
    [...groups].map(([name, group]) => [name, group.map(([, value]) => value)]),
  );
}

/** Names the days of a chart: `Last 30 days`. */
export function periodTitle({ range, length }: ChartPeriod, texts: Texts): string {
  return length === null ? formatDayRange(range, texts) : lastDaysPhrase(length);
}

/** Renders the choice of the days of a chart. The rest of the query stays. */
export function PeriodPicker({ period }: { period: ChartPeriod }) {
  const { range, length, problem } = period;
  const { url, basePath, nowMs, zone } = useRequest();
  const path = url.pathname;
  const others = [...url.searchParams].filter(
    ([name]) => !['days', 'since', 'until', 'page'].includes(name),
  );
  const pathWith = (...chosen: [string, string][]) =>
    `${path}?${new URLSearchParams([...others, ...chosen])}`;
  const since = String(range.first);
  const until = String(range.last);
  const typed = (name: string, value: string) =>
    problem === null ? value : (url.searchParams.get(name) ?? '');
  const day = { class: 'input', min: oldestDay, max: String(dayOf(nowMs, zone)), required: true };
  return (
    <div class="period">
      <nav class="segmented" aria-label="Period">
        {lengths.map((one) => (
          <Link
            key={one}
            to={pathWith(['days', String(one)])}
            aria-current={one === length ? 'true' : undefined}
          >
            <span>
              {one} d<span class="unit">ays</span>
            </span>
          </Link>
        ))}
        <Link
          to={pathWith(['since', since], ['until', until])}
          aria-current={length === null ? 'true' : undefined}
        >
          Range
        </Link>
      </nav>
      {length === null && (
        <form class="range" action={`${basePath}${path}`}>
          <HiddenFields values={groupFields(others)} />
          <label class="hidden" for="since">
            First day
          </label>
          <input type="date" {...day} id="since" name="since" value={typed('since', since)} />
          <span aria-hidden="true">–</span>
          <label class="hidden" for="until">
            Last day
          </label>
          <input type="date" {...day} id="until" name="until" value={typed('until', until)} />
          <Submit class="button">Show</Submit>
          {problem !== null && (
            <p class="error" role="alert">
              <Icon name="bad" />
              <span>{problem}</span>
            </p>
          )}
        </form>
      )}
    </div>
  );
}
