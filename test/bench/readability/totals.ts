import { type CleanReading, readByThree } from './clean.ts';
import { errorOf, goodShare, type Truth } from './truth.ts';
import type { Finding } from './worker.ts';

export interface GateTotals {
  readonly accepted: number;
  /** Clear bad designs that the gate accepts. */
  readonly falseAccepts: number;
  /** Clear good designs that the gate refuses. */
  readonly falseRefusals: number;
  /** Designs that zxing-cpp and ZBar both read well, disputed ones included, that the gate refuses. */
  readonly pairRefusals: number;
}

export interface Totals {
  readonly designs: number;
  readonly truth: Readonly<Record<Truth, number>>;
  /** Designs that zxing-cpp and ZBar both read well, whatever the other judges say. */
  readonly pairReads: number;
  readonly gate: GateTotals;
  readonly naive: GateTotals;
  /** Of the accepted designs, how many are read from every clean picture, and what fails. */
  readonly clean: {
    readonly readByThree: number;
    readonly readByAll: number;
    /** By `judge picture`. */
    readonly unread: Readonly<Record<string, number>>;
  };
  readonly advice: {
    readonly refused: number;
    readonly given: number;
    /** Of those followed: accepted by the gate, and what the judges make of them. */
    readonly followed: number;
    readonly accepted: number;
    readonly truth: Readonly<Record<Truth, number>>;
  };
  /** Milliseconds of one verdict, as a caller of the renderer sees it. */
  readonly gateMs: { readonly median: number; readonly p95: number };
}

export function totalsOf(findings: readonly Finding[]): Totals {
  const accepted = findings.filter(({ verdict }) => verdict.readable);
  const refused = findings.filter(({ verdict }) => !verdict.readable);
  const advised = refused.flatMap(({ advised }) => (advised === null ? [] : [advised]));
  const times = findings.map(({ gateMs }) => gateMs).sort((a, b) => a - b);
  return {
    designs: findings.length,
    truth: truths(findings),
    pairReads: findings.filter(pairReads).length,
    gate: gateTotals(findings, ({ verdict }) => verdict.readable),
    naive: gateTotals(findings, ({ naiveAccepts }) => naiveAccepts),
    clean: {
      readByThree: accepted.filter(({ clean }) => readByThree(clean)).length,
      readByAll: accepted.filter(({ clean }) =>
        clean.every(({ unreadBy }) => unreadBy.length === 0),
      ).length,
      unread: counts(accepted.flatMap(({ clean }) => unreadNames(clean))),
    },
    advice: {
      refused: refused.length,
      given: refused.filter(({ verdict }) => verdict.advice !== null).length,
      followed: advised.length,
      accepted: advised.filter(({ verdict }) => verdict.readable).length,
      truth: truths(advised),
    },
    gateMs: { median: quantile(times, 0.5), p95: quantile(times, 0.95) },
  };
}

function gateTotals(
  findings: readonly Finding[],
  accepts: (finding: Finding) => boolean,
): GateTotals {
  const errors = findings.map((finding) => errorOf(finding.truth, accepts(finding)));
  return {
    accepted: findings.filter(accepts).length,
    falseAccepts: errors.filter((error) => error === 'false-accept').length,
    falseRefusals: errors.filter((error) => error === 'false-refusal').length,
    pairRefusals: findings.filter((finding) => pairReads(finding) && !accepts(finding)).length,
  };
}

function pairReads({ shares }: Finding): boolean {
  return (shares['zxing'] ?? 0) >= goodShare && (shares['zbar'] ?? 0) >= goodShare;
}

function truths(examined: readonly { readonly truth: Truth }[]): Record<Truth, number> {
  const of = (wanted: Truth) => examined.filter(({ truth }) => truth === wanted).length;
  return {
    good: of('good'),
    bad: of('bad'),
    disputed: of('disputed'),
    unclear: of('unclear'),
  };
}

/** `judge picture` for each clean picture that a judge did not read. */
export function unreadNames(readings: readonly CleanReading[]): string[] {
  return readings.flatMap(({ picture, unreadBy }) =>
    unreadBy.map((judge) => `${judge} ${picture}`),
  );
}

export function counts(names: readonly string[]): Record<string, number> {
  const tally: Record<string, number> = {};
  for (const name of names) tally[name] = (tally[name] ?? 0) + 1;
  return tally;
}

function quantile(sorted: readonly number[], share: number): number {
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return Math.round(value * 100) / 100;
}
