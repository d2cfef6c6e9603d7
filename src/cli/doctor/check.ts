/** What one examination found. */
export interface Check {
  readonly name: string;
  /** `warning`: works, and will make trouble. `broken`: does not work. */
  readonly status: 'ok' | 'warning' | 'broken';
  readonly message: string;
  /** What to do about it; null where there is nothing to do. */
  readonly advice: string | null;
}

export function fine(name: string, message: string): Check {
  return { name, status: 'ok', message, advice: null };
}

export function warning(name: string, message: string, advice: string): Check {
  return { name, status: 'warning', message, advice };
}

export function broken(name: string, message: string, advice: string): Check {
  return { name, status: 'broken', message, advice };
}
