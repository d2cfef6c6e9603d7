/** Time that a run has run for: it stands still while the whole run does (SIGSTOP, a sleeping machine). */
export interface RunClock {
  /** Looks at the time. @returns how long the run stood still just now, in ms; 0 where it did not */
  look(): number;
  ranMs(): number;
  /** How often it stood still. */
  pauses(): number;
}

/**
 * @param nowMs a clock that never stands still
 * @param mostMs a longer gap between two looks is a pause: looks follow one another far more closely
 */
export function createRunClock(nowMs: () => number, mostMs: number): RunClock {
  const beganMs = nowMs();
  let lastMs = beganMs;
  let pausedMs = 0;
  let pauses = 0;
  return {
    look: () => {
      const gapMs = nowMs() - lastMs;
      lastMs += gapMs;
      if (gapMs < mostMs) return 0;
      pausedMs += gapMs;
      pauses++;
      return gapMs;
    },
    ranMs: () => lastMs - beganMs - pausedMs,
    pauses: () => pauses,
  };
}
