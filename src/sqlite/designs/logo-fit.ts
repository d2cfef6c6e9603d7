import type { LogoPlacement } from '../../core/designs/design.ts';

/** How a logo is drawn, as its column has it; null stays null. */
export function fitColumn(fit: LogoPlacement | null): string | null {
  return fit === null ? null : JSON.stringify(fit);
}

export function fitOf(column: string | null): LogoPlacement | null {
  // Nothing but the function above writes the column.
  return column === null ? null : (JSON.parse(column) as LogoPlacement);
}
