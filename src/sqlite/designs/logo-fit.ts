import type { LogoFit } from '../../core/designs/design.ts';

/** How a logo is drawn, as its column has it; null stays null. */
export function fitColumn(fit: LogoFit | null): string | null {
  return fit === null ? null : JSON.stringify(fit);
}

export function fitOf(column: string | null): LogoFit | null {
  // Nothing but the function above writes the column.
  return column === null ? null : (JSON.parse(column) as LogoFit);
}
