import type { PanelDeps } from '../../src/panel/deps.ts';
import { createPanel } from '../../src/panel/panel.ts';
import type { Route } from '../../src/panel/routing/router.ts';

/** Every route of the panel. None of them is taken here, so nothing stands behind them. */
export function routesOfPanel(): readonly Route[] {
  const nothing: object = new Proxy({}, { get: () => nothing });
  // Routes are only listed: what they are made of is taken apart and never called.
  return createPanel(nothing as PanelDeps).routes;
}
