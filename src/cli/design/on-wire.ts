import type { Design, LogoPlacement, ReadabilityResult } from '../../core/designs/design.ts';
import { toExternalNames } from '../../core/designs/design.ts';

/** A design as commands print it for machines. */
export function designOnWire(design: Design) {
  const { logo } = design;
  return {
    ...toExternalNames(design),
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
    advice: advice && { changes: toExternalNames(advice.changes), message: advice.message },
    link,
    modules,
    quiet_zone: quietZoneModules,
    ...(logoPlacement && { logo_fit: fitOnWire(logoPlacement) }),
  };
}

function fitOnWire({ sizePercent, rightModules, downModules }: LogoPlacement) {
  return { size_percent: sizePercent, right_modules: rightModules, down_modules: downModules };
}
