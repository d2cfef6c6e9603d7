/**
 * Elysia's router takes `:code.png` for a parameter of that name and refuses it beside `:code`, so
 * images are routed under inner names. The API app is only ever handed paths under `/api/v1/`, so no
 * client can spell an inner name; the documentation is given the outer one.
 */
export const imageRoutes = { png: '/png/:code', svg: '/svg/:code' } as const;

/** The inner name of an image's path, or the path itself when it is no image's. */
export function innerPath(path: string): string {
  return path.replace(/^\/api\/v1\/qrs\/([^/]+)\.(png|svg)$/, '/$2/$1');
}

/** The path that clients use, from an inner one as the OpenAPI document spells it. */
export function outerPath(path: string): string {
  return path.replace(/^\/(png|svg)\/\{code\}$/, '/api/v1/qrs/{code}.$1');
}
