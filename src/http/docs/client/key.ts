import type { SwaggerUi } from './swagger-ui.ts';

// Of this tab, so that a reload needs no second copy of a key that is shown once.
const storageKey = 'waymark-api-key';

/**
 * Uses the storage of the tab.
 * Returns null where the browser blocks it: then the key lasts until a reload.
 */
function useStorage<T>(use: (storage: Storage) => T): T | null {
  try {
    return use(sessionStorage);
  } catch {
    return null;
  }
}

function storeKey(key: string): void {
  useStorage((storage) => storage.setItem(storageKey, key));
}

/** Payload of the action by which Swagger UI takes a key: the value by the name of the security scheme. */
interface Authorized {
  readonly apiKey?: { readonly value?: unknown };
}

type Wrapped<Payload> = (original: (payload: Payload) => unknown) => (payload: Payload) => unknown;

const authorize: Wrapped<Authorized> = (original) => (payload) => {
  const key = payload.apiKey?.value;
  if (typeof key === 'string') storeKey(key);
  return original(payload);
};

const logout: Wrapped<unknown> = (original) => (payload) => {
  useStorage((storage) => storage.removeItem(storageKey));
  return original(payload);
};

/** Keeps the key that is entered in the tab's storage, until it is taken out again. */
export const keepKey = { authorize, logout };

/** Enters a key and keeps it. Swagger UI does so without the actions of {@link keepKey}. */
export function enterKey(ui: SwaggerUi, key: string): void {
  storeKey(key);
  ui.preauthorizeApiKey('apiKey', key);
}

/** Enters the key that the tab has kept. */
export function restoreKey(ui: SwaggerUi): void {
  const key = useStorage((storage) => storage.getItem(storageKey));
  if (key !== null) ui.preauthorizeApiKey('apiKey', key);
}
