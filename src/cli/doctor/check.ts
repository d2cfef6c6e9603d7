/** The result of one check. */
export interface Check {
  readonly name: string;
  /** `warning`: it works, but will cause trouble. `broken`: it does not work. */
  readonly status: 'ok' | 'warning' | 'broken';
  readonly message: string;
  /** What to do; null if there is nothing to do. */
  readonly advice: string | null;
}

export function ok(name: string, message: string): Check {
  return { name, status: 'ok', message, advice: null };
}

export function warning(name: string, message: string, advice: string): Check {
  return { name, status: 'warning', message, advice };
}

export function broken(name: string, message: string, advice: string): Check {
  return { name, status: 'broken', message, advice };
}
