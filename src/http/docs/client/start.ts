/**
 * The script of the page of Swagger UI.
 * It runs before the page is drawn, and before Swagger UI is loaded.
 */
import { codeOperations, fillCode, type Operation } from './codes.ts';
import { foldUsualHeaders, maskKey, showPicture } from './components.ts';
import { enterKey, keepKey, restoreKey } from './key.ts';
import type { SwaggerResponse, SwaggerUi } from './swagger-ui.ts';

declare const SwaggerUIBundle: (options: object) => SwaggerUi;

const dark = matchMedia('(prefers-color-scheme: dark)');
const followColorScheme = () =>
  document.documentElement.classList.toggle('dark-mode', dark.matches);
followColorScheme();
dark.addEventListener('change', followColorScheme);

// The page of a new API key gives it to this page while both are open.
const keys = new BroadcastChannel('waymark-key');

const here = new URL('.', location.href).href.replace(/\/$/, '');
const documentUrl = new URL('docs/json', location.href).href;

/**
 * Has "Try it out" send requests to the page's own origin.
 * The browser blocks any other, and a server is often opened under another name than its public one, such as localhost.
 */
function useThisServer(response: SwaggerResponse): void {
  const servers = [{ url: here, description: 'This server' }];
  response.text = JSON.stringify({ ...JSON.parse(response.text), servers });
}

/** Names the selects of Swagger UI, which have none. */
function nameSelects(): void {
  for (const select of document.querySelectorAll('select:not([aria-label])'))
    select.setAttribute('aria-label', select.closest('.servers') ? 'Server' : 'Choose a value');
}

document.addEventListener('DOMContentLoaded', () => {
  new MutationObserver(nameSelects).observe(document.body, { childList: true, subtree: true });
  let operations: readonly Operation[] = [];
  const ui = SwaggerUIBundle({
    url: 'docs/json',
    dom_id: '#swagger-ui',
    deepLinking: true,
    persistAuthorization: false,
    validatorUrl: null,
    responseInterceptor: (response: SwaggerResponse) => {
      if (response.url === documentUrl) {
        operations = codeOperations(response.text);
        useThisServer(response);
      } else fillCode(ui, operations, response);
      return response;
    },
    onComplete: () => {
      restoreKey(ui);
      keys.postMessage('wanted');
    },
    plugins: [
      () => ({
        wrapComponents: { responseBody: showPicture, Input: maskKey, headers: foldUsualHeaders },
        statePlugins: { auth: { wrapActions: keepKey } },
      }),
    ],
  });
  keys.addEventListener('message', ({ data }: MessageEvent<{ key?: unknown }>) => {
    if (typeof data.key === 'string') enterKey(ui, data.key);
  });
});
