import type { Design, LogoFit, Verdict } from '../../core/designs/design.ts';
import { outsideNamesOf } from '../../core/designs/design-names.ts';

/** A design as commands print it for machines. */
export function designOnWire(design: Design) {
  const { logo } = design;
  return {
    ...outsideNamesOf(design),
    logo: logo === null ? null : { width: logo.widthPx, height: logo.heightPx },
  };
}

/** What was found out about a design on a sample link; what advice changes has the names of the design. */
export function verdictOnWire(verdict: Verdict, link: string) {
  const { readable, score, reasons, advice, modules, quietZoneModules, logoFit } = verdict;
  return {
    readable,
    score,
    reasons,
    advice: advice && { changes: outsideNamesOf(advice.changes), message: advice.message },
    link,
    modules,
    quiet_zone: quietZoneModules,
    ...(logoFit && { logo_fit: fitOnWire(logoFit) }),
  };
}

function fitOnWire({ sizePercent, rightModules, downModules }: LogoFit) {
  return { size_percent: sizePercent, right_modules: rightModules, down_modules: downModules };
}
