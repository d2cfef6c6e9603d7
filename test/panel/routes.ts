import { createPanel } from '../../src/panel/panel.ts';
import type { PanelDeps } from '../../src/panel/request/deps.ts';

const nothing: object = new Proxy({}, { get: () => nothing });
const randomBytes = (length: number) => new Uint8Array(length);
// The routes are only listed here, so their dependencies are never called.
const deps = new Proxy({ randomBytes }, { get: (own, name) => Reflect.get(own, name) ?? nothing });

/** All routes of the panel. */
export const panelRoutes = createPanel(deps as PanelDeps).routes;
