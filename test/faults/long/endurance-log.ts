import { appendFileSync, readFileSync } from 'node:fs';

/** What was noted at the end of a minute that the run ran for. */
export interface Minute {
  readonly kind: 'minute';
  readonly minute: number;
  /** By the wall clock, ISO 8601. */
  readonly at: string;
  readonly answered: number;
  /** Least and most of its sixty readings. */
  readonly memoryMb: number;
  readonly mostMemoryMb: number;
  /** The least of what no file stands behind. */
  readonly anonymousMb: number;
  readonly descriptors: number;
  readonly databaseMb: number;
  readonly logMb: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly mostMs: number;
  /** Of one processor, in this minute: the server and its workers. */
  readonly cpuPercent: number;
  readonly codes: number;
}

export interface Happening {
  readonly kind: 'start' | 'backup' | 'list' | 'pause' | 'fault';
  readonly minute: number;
  readonly at: string;
  readonly what: Readonly<Record<string, unknown>>;
}

export interface End {
  readonly kind: 'end';
  readonly at: string;
  readonly exitCode: number;
  readonly flaws: readonly string[];
  readonly requests: number;
  /** Requests in flight when the whole run was stopped, which were not answered. */
  readonly lostInPauses: number;
  readonly listed: number;
  readonly created: number;
  readonly scans: number;
  readonly inexact: number;
  readonly peakMb: number;
}

export type Line = Minute | Happening | End;

/** One line of JSON each, on the disk at once, so that an interrupted run leaves what it saw. */
export function appendLine(file: string, line: Line): void {
  appendFileSync(file, `${JSON.stringify(line)}\n`);
}

export function readLog(file: string): Line[] {
  const text = readFileSync(file, 'utf8');
  // Only this program writes the file, a line at a time.
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Line]));
}
