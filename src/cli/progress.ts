import { formatNumber } from '../lib/numbers.ts';

/** The progress of a long command. `using` removes the line at its end, before the command prints. */
export interface Progress extends Disposable {
  /** Shows how much is done. Cheap enough to be called for every item. */
  update(done: number): void;
  /** Removes the line, until the next update. */
  end(): void;
}

/** Where progress is shown. */
type Terminal = Pick<NodeJS.WriteStream, 'isTTY' | 'write' | 'columns'>;

// A command that takes less shows nothing.
const quietMs = 500;
const intervalMs = 100;
// A terminal without a size, such as a serial line.
const defaultColumns = 80;

/**
 * Shows the progress of a long command in one line on stderr, such as `images: 1,200 of 5,000 (24 %)`.
 * Writes nothing unless stderr is a terminal.
 *
 * @param label what is counted
 * @param total null if it is not known
 * @param monotonicMs a clock that never jumps
 */
export function createProgress(
  label: string,
  total: number | null,
  terminal: Terminal = process.stderr,
  monotonicMs: () => number = () => performance.now(),
): Progress {
  let nextMs = terminal.isTTY ? monotonicMs() + quietMs : Number.POSITIVE_INFINITY;
  let isShown = false;
  const end = () => {
    if (isShown) terminal.write('\r\x1b[K');
    isShown = false;
  };
  return {
    update: (done) => {
      const nowMs = monotonicMs();
      if (nowMs < nextMs) return;
      nextMs = nowMs + intervalMs;
      isShown = true;
      // Erases the rest of the earlier line. A wrapped line could not be replaced.
      terminal.write(
        `\r${progressText(label, done, total).slice(0, (terminal.columns || defaultColumns) - 1)}\x1b[K`,
      );
    },
    end,
    [Symbol.dispose]: end,
  };
}

function progressText(label: string, done: number, total: number | null): string {
  const count = formatNumber(done);
  if (total === null) return `${label}: ${count}`;
  const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
  return `${label}: ${count} of ${formatNumber(total)} (${percent} %)`;
}
