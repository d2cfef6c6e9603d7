import type { AnyElysia } from 'elysia';

/**
 * The methods that the router knows for a path, HEAD wherever there is GET, in alphabetical order:
 * what `Allow` says (RFC 9110, 10.2.1). Asked of the router itself, so it cannot differ from it.
 */
export function allowedMethods(app: AnyElysia, path: string): string[] {
  const methods = new Set<string>();
  for (const { method } of app.routes) {
    if (!isRouted(app, method, path)) continue;
    methods.add(method);
    if (method === 'GET') methods.add('HEAD');
  }
  return [...methods].sort();
}

function isRouted(app: AnyElysia, method: string, path: string): boolean {
  return (
    app.router.http.find(method, path) !== null || app.router.static[path]?.[method] !== undefined
  );
}
