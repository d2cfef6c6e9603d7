import type { SwaggerUi } from './swagger-ui.ts';

// Of this tab, so that a reload needs no second copy of a key that is shown once.
const storageKey = 'waymark-api-key';

/** Payload of the action by which Swagger UI takes a key: the value by the name of the security scheme. */
interface Authorized {
  readonly apiKey?: { readonly value?: unknown };
}

type Wrapped<Payload> = (original: (payload: Payload) => unknown) => (payload: Payload) => unknown;

const authorize: Wrapped<Authorized> = (original) => (payload) => {
  const key = payload.apiKey?.value;
  if (typeof key === 'string') sessionStorage.setItem(storageKey, key);
  return original(payload);
};

const logout: Wrapped<unknown> = (original) => (payload) => {
  sessionStorage.removeItem(storageKey);
  return original(payload);
};

/** Keeps the key that is entered in the tab's storage, until it is taken out again. */
export const keepKey = { authorize, logout };

/** Enters the key that the tab has kept. */
export function restoreKey(ui: SwaggerUi): void {
  const key = sessionStorage.getItem(storageKey);
  if (key !== null) ui.preauthorizeApiKey('apiKey', key);
}
