import type { Design, LogoPlacement, ReadabilityResult } from '../../core/designs/design.ts';
import { toPropertyNames } from '../../core/designs/design-names.ts';

/** A design as commands print it for machines. */
export function designOnWire(design: Design) {
  const { logo } = design;
  return {
    ...toPropertyNames(design),
    logo: logo === null ? null : { width: logo.widthPx, height: logo.heightPx },
  };
}

/** What was found out about a design on a sample link; what advice changes has the names of the design. */
export function verdictOnWire(verdict: ReadabilityResult, link: string) {
  const { isReadable, score, reasons, advice, modules, quietZoneModules, logoPlacement } = verdict;
  return {
    readable: isReadable,
    score,
    reasons,
    advice: advice && { changes: toPropertyNames(advice.changes), message: advice.message },
    link,
    modules,
    quiet_zone: quietZoneModules,
    ...(logoPlacement && { logo_fit: fitOnWire(logoPlacement) }),
  };
}

function fitOnWire({ sizePercent, rightModules, downModules }: LogoPlacement) {
  return { size_percent: sizePercent, right_modules: rightModules, down_modules: downModules };
}
