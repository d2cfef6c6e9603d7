import { makePanel } from '../../src/panel/panel.ts';
import type { Route } from '../../src/panel/route.ts';
import type { PanelWorld } from '../../src/panel/world.ts';

/** Every route of the panel. None of them is taken here, so nothing stands behind them. */
export function routesOfPanel(): readonly Route[] {
  const nothing: object = new Proxy({}, { get: () => nothing });
  // Routes are only listed: what they are made of is taken apart and never called.
  return makePanel(nothing as PanelWorld).routes;
}
