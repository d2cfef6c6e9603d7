/** @jsxImportSource preact */
import type { VNode } from 'preact';

import { type DayRange, dayOf, daysIn, lastDays } from '../../../core/scans/days.ts';
import type { Texts } from '../../../languages/generated/texts.ts';
import type { Said } from '../../../languages/texts.ts';
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
  useSaid,
} from '../../ui/page-context.tsx';

/** Lengths of charts that end today. */
const lengths = [7, 30, 365] as const;
type Length = (typeof lengths)[number];

/** The days that a chart shows. */
export interface ChartPeriod {
  readonly range: DayRange;
  /** The number of last days; null for days of one's choice. */
  readonly length: Length | null;
  /** Why the days that were chosen are not shown. */
  readonly problem: Said | null;
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
    return 'problem' in range
      ? { range: lastDays(30, nowMs, zone), length: null, problem: range.problem }
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
function parseRange(
  since: string,
  until: string,
  { nowMs, zone }: LocalTime,
): DayRange | { readonly problem: Said } {
  const first = parseDay(since);
  const last = parseDay(until);
  if (first === null || last === null) return { problem: (t) => t.scans.chooseBothDays };
  const { compare } = Temporal.PlainDate;
  if (compare(first, last) > 0) return { problem: (t) => t.scans.firstAfterLast };
  if (compare(first, oldestDay) < 0)
    return { problem: (t) => t.scans.tooLongAgo({ year: oldestDay.slice(0, 4) }) };
  if (compare(last, dayOf(nowMs, zone)) > 0) return { problem: (t) => t.scans.inFuture };
  const days = daysIn({ first, last });
  return days > maxDays ? { problem: (t) => t.scans.tooManyDays({ days }) } : { first, last };
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
  return length === null ? formatDayRange(range, texts) : texts.scans.lastDays({ days: length });
}

/** Renders the choice of the days of a chart. The rest of the query stays. */
export function PeriodPicker({ period }: { period: ChartPeriod }) {
  const { range, length, problem } = period;
  const { url, basePath, nowMs, zone, texts } = useRequest();
  const { scans: t } = texts;
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
      <nav class="segmented" aria-label={t.period}>
        {lengths.map((one) => (
          <Link
            key={one}
            to={pathWith(['days', String(one)])}
            aria-current={one === length ? 'true' : undefined}
          >
            <span>
              {t.daysOnWideScreens<VNode>({
                days: one,
                wide: (text) => <span class="unit">{text}</span>,
              })}
            </span>
          </Link>
        ))}
        <Link
          to={pathWith(['since', since], ['until', until])}
          aria-current={length === null ? 'true' : undefined}
        >
          {t.range}
        </Link>
      </nav>
      {length === null && (
        <form class="range" action={`${basePath}${path}`}>
          <HiddenFields values={groupFields(others)} />
          <label class="hidden" for="since">
            {t.firstDay}
          </label>
          <input type="date" {...day} id="since" name="since" value={typed('since', since)} />
          <span aria-hidden="true">–</span>
          <label class="hidden" for="until">
            {t.lastDay}
          </label>
          <input type="date" {...day} id="until" name="until" value={typed('until', until)} />
          <Submit class="button">{t.show}</Submit>
          {problem !== null && (
            <p class="error" role="alert">
              <Icon name="bad" />
              <span>{useSaid(problem)}</span>
            </p>
          )}
        </form>
      )}
    </div>
  );
}
