import { InvalidArgumentError } from 'commander';

interface Bounds {
  readonly min: number;
  readonly max: number;
}

/**
 * Understands the value of a flag as a whole number within bounds, for commander.
 *
 * @throws InvalidArgumentError for anything else
 */
export function within(bounds: Bounds) {
  return (text: string): number => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (number >= bounds.min && number <= bounds.max) return number;
    throw new InvalidArgumentError(`It must be a whole number ${spelled(bounds)}.`);
  };
}

/** Bounds as the help says them. */
export function spelled({ min, max }: Bounds): string {
  return `from ${min} to ${max}`;
}
