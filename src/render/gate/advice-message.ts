import type { Design, DesignChanges } from '../../core/designs/design.ts';

/** Says changes to a design in one sentence. */
export function adviceMessage(design: Design, changes: DesignChanges): string {
  const parts: string[] = [];
  const { foreground, background, finderColor, logoPatch, logoSizePercent } = changes;
  const { moduleShape, finderShape, quietZoneModules } = changes;
  if (foreground !== undefined && foreground !== design.foreground) {
    parts.push(`foreground ${foreground} instead of ${design.foreground}`);
  }
  if (background !== undefined && background !== design.background) {
    parts.push(`background ${background} instead of ${design.background}`);
  }
  if (finderColor !== undefined && finderColor !== design.finderColor) {
    parts.push(
      finderColor === null
        ? 'corners in the foreground colour'
        : `corners ${finderColor} instead of ${design.finderColor ?? design.foreground}`,
    );
  }
  if (logoPatch !== undefined && logoPatch !== design.logoPatch) {
    parts.push(`a ${logoPatch} patch behind the logo`);
  }
  if (logoSizePercent !== undefined && logoSizePercent !== design.logoSizePercent) {
    parts.push(`logo size ${logoSizePercent} % instead of ${design.logoSizePercent} %`);
  }
  if (moduleShape !== undefined && moduleShape !== design.moduleShape) {
    parts.push(`${moduleShape} modules`);
  }
  if (finderShape !== undefined && finderShape !== design.finderShape) {
    parts.push(`${finderShape} finder patterns`);
  }
  if (quietZoneModules !== undefined && quietZoneModules !== design.quietZoneModules) {
    parts.push(`a quiet zone of ${quietZoneModules} modules`);
  }
  const last = parts.pop();
  return `This passes: ${parts.length > 0 ? `${parts.join(', ')} and ${last}` : last}.`;
}
