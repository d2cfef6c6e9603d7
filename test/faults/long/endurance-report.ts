import { printTable } from '../../bench/table.ts';
import type { End, Happening, Line, Minute } from './endurance-log.ts';
import { slopeOf } from './straight-line.ts';

/** Caches fill and the compiler warms up before growth is measured. */
const warmMinutes = 30;
const mostLogMb = 64;
/** K1's two megabytes a million requests come to 0.7 an hour at a hundred a second. */
const mostGrowthMb = 1;

/** Prints what a log tells: a table of half hours, what happened, and whether it is as it should be. */
export function printReport(lines: readonly Line[]): void {
  const minutes = lines.filter((line): line is Minute => line.kind === 'minute');
  const of = (kind: Happening['kind']) =>
    lines.filter((line): line is Happening => line.kind === kind);
  const end = lines.find((line): line is End => line.kind === 'end');
  const hours = minutes.length / 60;

  printTable(
    [
      'hour',
      'answered',
      'memory MB',
      'descriptors',
      'database MB',
      'log MB',
      'p50',
      'p99',
      'max',
      'CPU %',
    ],
    minutes
      .filter((line) => line.minute === 1 || line.minute % 30 === 0 || line === minutes.at(-1))
      .map(rowOf),
  );

  const warm = minutes.filter(({ minute }) => minute > warmMinutes);
  const growth = (value: (minute: Minute) => number) =>
    slopeOf(warm.map((minute) => ({ x: minute.minute / 60, y: value(minute) })));
  const [memory, anonymous, database, descriptors] = [
    growth(({ memoryMb }) => memoryMb),
    growth(({ anonymousMb }) => anonymousMb),
    growth(({ databaseMb }) => databaseMb),
    growth((minute) => minute.descriptors),
  ];
  const most = (value: (minute: Minute) => number) => Math.max(...minutes.map(value));
  const faults = of('fault');
  const shown = of('list').map(({ what }) => Number(what['shownMs']) / 1000);
  const verdicts: [string, string, boolean][] = [
    ['hours', hours.toFixed(2), hours >= 8],
    [
      'memory, MB an hour after the first half',
      `${memory.toFixed(2)}, ${anonymous.toFixed(2)} of it behind no file; the database ${database.toFixed(2)}`,
      memory - database <= mostGrowthMb,
    ],
    [
      'descriptors',
      `${minutes[0]?.descriptors} at first, ${minutes.at(-1)?.descriptors} at last, at most ${most((minute) => minute.descriptors)}, ${descriptors.toFixed(2)} an hour`,
      descriptors < 0.5,
    ],
    [
      'log, most MB',
      most(({ logMb }) => logMb).toFixed(1),
      most(({ logMb }) => logMb) <= mostLogMb,
    ],
    ['faults', JSON.stringify(faults.map(({ what }) => what).slice(0, 10)), faults.length === 0],
    ['backups and looks at all destinations', String(of('backup').length), true],
    [
      'editions of the list',
      `${shown.length}, shown by printed codes after ${Math.max(...shown).toFixed(0)} s at most`,
      true,
    ],
    ['pauses of the whole run', pausesIn(of('pause')), true],
  ];
  if (end === undefined) verdicts.push(['end', 'not reached', false]);
  else
    verdicts.push(
      [
        'end',
        `exit ${end.exitCode}, ${end.flaws.length} flaws`,
        end.exitCode === 0 && end.flaws.length === 0,
      ],
      ['requests', `${end.requests}, ${end.lostInPauses} unanswered for a pause`, true],
      ['codes', `${end.listed} of ${end.created}`, end.listed === end.created],
      ['counts that are not exact', `${end.inexact} of ${end.scans} scans`, end.inexact === 0],
      ['peak of memory, MB', end.peakMb.toFixed(0), true],
    );
  printTable(
    ['what', 'seen', 'as it should be'],
    verdicts.map(([what, seen, holds]) => [what, seen, holds ? 'yes' : 'NO']),
  );
}

function rowOf(line: Minute): string[] {
  const one = (value: number) => value.toFixed(1);
  return [
    (line.minute / 60).toFixed(2),
    String(line.answered),
    one(line.memoryMb),
    String(line.descriptors),
    one(line.databaseMb),
    one(line.logMb),
    one(line.p50Ms),
    one(line.p99Ms),
    one(line.mostMs),
    one(line.cpuPercent),
  ];
}

function pausesIn(pauses: readonly Happening[]): string {
  const seconds = pauses.map(({ what }) => Number(what['seconds']));
  const sum = seconds.reduce((all, one) => all + one, 0);
  return `${pauses.length}, ${(sum / 60).toFixed(1)} minutes in all`;
}
