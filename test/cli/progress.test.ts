import { expect, test } from 'bun:test';
import { createProgress } from '../../src/cli/progress.ts';

/** A terminal of 40 columns, or a file, and a clock that stands still. */
function setUp(isTTY = true) {
  const written: string[] = [];
  const clock = { nowMs: 0 };
  const terminal = { isTTY, columns: 40, write: (text: string) => written.push(text) > 0 };
  const create = (label: string, total: number | null) =>
    createProgress(label, total, terminal, () => clock.nowMs);
  return { written, clock, create };
}

test('a long command shows its progress in one line of the terminal, ten times a second', () => {
  const { written, clock, create } = setUp();
  const progress = create('images', 5000);
  progress.update(1);
  clock.nowMs = 500;
  for (const done of [1200, 1201, 1202]) progress.update(done);
  clock.nowMs = 600;
  progress.update(1300);
  progress.end();
  expect(written).toEqual([
    '\rimages: 1,200 of 5,000 (24 %)\x1b[K',
    '\rimages: 1,300 of 5,000 (26 %)\x1b[K',
    '\r\x1b[K',
  ]);
});

test('a line is shorter than the terminal, also without a total', () => {
  const { written, clock, create } = setUp();
  const progress = create('lines of a list with quite a long name', null);
  clock.nowMs = 1000;
  progress.update(1_000_000);
  expect(written).toEqual(['\rlines of a list with quite a long name:\x1b[K']);
});

test('a command of less than half a second, and one without a terminal, write nothing', () => {
  for (const isTTY of [true, false]) {
    const { written, clock, create } = setUp(isTTY);
    const progress = create('images', 10);
    clock.nowMs = isTTY ? 499 : 10_000;
    progress.update(9);
    progress.end();
    expect(written).toEqual([]);
  }
});
