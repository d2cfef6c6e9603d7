import { median, printTable } from '../../bench/table.ts';
import type { End, Happening, Line, Minute } from './endurance-log.ts';
import { slopeOf } from './straight-line.ts';

/** Caches fill and the compiler warms up before growth is measured. */
const warmMinutes = 30;
const mostGrowthDescriptors = 0.5;
const wantedMinutes = 8 * 60;
const tableMinutes = 30;
const mostLogMb = 64;
/** K1's two megabytes a million requests come to 0.7 an hour at a hundred a second. */
const mostGrowthMb = 1;

/** One thing that was watched, in words, and whether it is as it should be. */
export interface Verdict {
  readonly what: string;
  readonly seen: string;
  readonly holds: boolean;
}

/** Prints what a log tells: a table of half hours, and whether all is as it should be. */
export function printReport(lines: readonly Line[]): void {
  const halves = Map.groupBy(minutesIn(lines), halfHourOf);
  printTable(
    [
      ...['hours', 'answered', 'memory MB, least', 'middle', 'descriptors', 'database MB'],
      ...['log MB', 'p50 ms', 'p99 ms', 'longest ms', 'CPU %'],
    ],
    [...halves.values()].map(rowOf),
  );
  printTable(
    ['what', 'seen', 'as it should be'],
    verdictsOn(lines).map(({ what, seen, holds }) => [what, seen, holds ? 'yes' : 'NO']),
  );
}

/** Holds a log against what a server must keep to for eight hours. */
export function verdictsOn(lines: readonly Line[]): Verdict[] {
  const minutes = minutesIn(lines);
  const happened = (kind: Happening['kind']) =>
    lines.filter((line): line is Happening => line.kind === kind).map(({ what }) => what);
  const warm = minutes.filter(({ minute }) => minute > warmMinutes);
  const growth = (value: (minute: Minute) => number) =>
    slopeOf(warm.map((minute) => ({ x: minute.minute / 60, y: value(minute) })));
  const most = (value: (minute: Minute) => number) => Math.max(0, ...minutes.map(value));

  // Pixels of large images lie about until they are collected, 67 MB each: the least of half an hour
  // is what is kept.
  const settled = [...Map.groupBy(warm, halfHourOf).values()];
  const growthOfLeast = (value: (minute: Minute) => number) =>
    slopeOf(settled.map((minutes, half) => ({ x: half / 2, y: Math.min(...minutes.map(value)) })));
  const memory = growthOfLeast(({ memoryMb }) => memoryMb);
  const anonymous = growthOfLeast(({ anonymousMb }) => anonymousMb);
  const database = growth((minute) => minute.databaseMb);
  const descriptors = growth((minute) => minute.descriptors);
  const logMb = most((minute) => minute.logMb);
  const faults = happened('fault');
  const shown = happened('list').map((what) => Number(what['shownMs']) / 1000);
  return [
    {
      what: 'hours',
      seen: (minutes.length / 60).toFixed(2),
      holds: minutes.length >= wantedMinutes,
    },
    {
      what: 'least memory of half hours after the first, MB an hour',
      seen: `${memory.toFixed(2)}, behind no file ${anonymous.toFixed(2)}; the database ${database.toFixed(2)}`,
      holds: memory - database <= mostGrowthMb,
    },
    {
      what: 'descriptors',
      seen: `${minutes[0]?.descriptors} at first, ${minutes.at(-1)?.descriptors} at last, at most ${most((minute) => minute.descriptors)}`,
      holds: descriptors < mostGrowthDescriptors,
    },
    { what: 'log, most MB', seen: logMb.toFixed(1), holds: logMb <= mostLogMb },
    {
      what: 'answers and upkeep otherwise than expected',
      seen: `${faults.length} ${faults.length > 0 ? JSON.stringify(faults.slice(0, 10)) : ''}`,
      holds: faults.length === 0,
    },
    {
      what: 'backups and looks at all destinations',
      seen: String(happened('backup').length),
      holds: true,
    },
    {
      what: 'editions of the list',
      seen: `${shown.length}, shown by printed codes after ${Math.max(0, ...shown).toFixed(0)} s at most`,
      holds: true,
    },
    { what: 'pauses of the whole run', seen: pausesIn(happened('pause')), holds: true },
    ...verdictsOnEnd(lines.find((line): line is End => line.kind === 'end')),
  ];
}

function verdictsOnEnd(end: End | undefined): Verdict[] {
  if (end === undefined) return [{ what: 'end', seen: 'not reached', holds: false }];
  return [
    {
      what: 'end',
      seen: `exit ${end.exitCode}, ${end.flaws.length} flaws in the database`,
      holds: end.exitCode === 0 && end.flaws.length === 0,
    },
    {
      what: 'requests',
      seen: `${end.requests.toLocaleString('en')}, ${end.lostInPauses} of them unanswered for a pause`,
      holds: true,
    },
    {
      what: 'codes',
      seen: `${end.listed} of ${end.created}`,
      holds: end.listed === end.created,
    },
    {
      what: 'counts that are not exact',
      seen: `${end.inexact}, in all ${end.scans.toLocaleString('en')} scans`,
      holds: end.inexact === 0,
    },
    { what: 'peak of memory, MB', seen: end.peakMb.toFixed(0), holds: true },
  ];
}

function halfHourOf({ minute }: Minute): number {
  return Math.ceil(minute / tableMinutes);
}

function minutesIn(lines: readonly Line[]): Minute[] {
  return lines.filter((line): line is Minute => line.kind === 'minute');
}

/** What the minutes of a row come to: sums and extremes, of the rest the middle. */
function rowOf(minutes: readonly Minute[]): string[] {
  const of = (value: (minute: Minute) => number) => minutes.map(value);
  const middle = (value: (minute: Minute) => number) => median(of(value)).toFixed(1);
  const most = (value: (minute: Minute) => number) => Math.max(...of(value)).toFixed(1);
  return [
    ((minutes.at(-1)?.minute ?? 0) / 60).toFixed(1),
    of(({ answered }) => answered)
      .reduce((sum, one) => sum + one, 0)
      .toLocaleString('en'),
    Math.min(...of(({ memoryMb }) => memoryMb)).toFixed(1),
    middle(({ memoryMb }) => memoryMb),
    Math.max(...of(({ descriptors }) => descriptors)).toFixed(0),
    most(({ databaseMb }) => databaseMb),
    most(({ logMb }) => logMb),
    middle(({ p50Ms }) => p50Ms),
    middle(({ p99Ms }) => p99Ms),
    most(({ mostMs }) => mostMs),
    middle(({ cpuPercent }) => cpuPercent),
  ];
}

function pausesIn(pauses: readonly Happening['what'][]): string {
  const seconds = pauses.reduce((sum, pause) => sum + Number(pause['seconds']), 0);
  return `${pauses.length}, ${(seconds / 60).toFixed(1)} minutes in all`;
}
