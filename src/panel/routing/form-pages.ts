import { redirectTo } from './responses.tsx';
import type { Route } from './router.ts';

/**
 * A page for every address that only a form is sent to: the nearest above it that can be looked at. People
 * come to such an address when they reload what a form was answered with, search in it, or sign in again
 * because their session had ended before the form was sent.
 */
export function pagesForForms(routes: readonly Route[]): Route[] {
  const pages = new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path));
  return routes.flatMap((route): Route[] => {
    const { path, who } = route;
    if (pages.has(path) || who === 'anyone') return [];
    const depth = depthOfPage(path, pages);
    return [
      {
        method: 'GET',
        path,
        who,
        answer: async (context) => {
          const { pathname, search } = context.url;
          return redirectTo(context, `${pathname.split('/').slice(0, depth).join('/')}${search}`);
        },
      },
    ];
  });
}

/** How many pieces the path of the nearest page above another path has. */
function depthOfPage(path: string, pages: ReadonlySet<string>): number {
  const pieces = path.split('/');
  for (let depth = pieces.length - 1; depth > 0; depth--)
    if (pages.has(pieces.slice(0, depth).join('/'))) return depth;
  throw new Error(`No page stands above ${path}.`);
}
