import { parseCode } from '../../core/codes/code.ts';
import type { ImageFormat } from '../../core/codes/qrs.ts';

/**
 * Elysia's router takes `:code.png` for a parameter of that name and refuses it beside `:code`, so
 * images are routed under inner names. The API app is only ever handed paths under `/api/v1/`, so no
 * client can spell an inner name; the documentation is given the outer one.
 */
export const imageRoutes = { png: '/png/:code', svg: '/svg/:code' } as const;

const imagePath = /^\/api\/v1\/qrs\/([^/]+)\.(png|svg)$/;

// As the last piece of a path these are a step up, or none.
const dots = /^\.{1,2}$/;
/** No code is spelled like that, just as none is of dots. */
const noCode = '-';

// Letters, digits and - . _ ~, which mean the same with percent signs and without (RFC 3986, 6.2.2.2).
const needlesslyEncoded = /%(?:2[de]|3\d|[46][1-9a-f]|[57][\da]|5f|7e)/gi;

/** The inner name of an image's path, or the path itself when it is no image's; as plain as it can be spelled. */
export function innerPath(path: string): string {
  return path
    .replace(needlesslyEncoded, decodeURIComponent)
    .replace(
      imagePath,
      (_, code: string, format: string) => `/${format}/${dots.test(code) ? noCode : code}`,
    );
}

/** The image that a path names in so many words, or null when its code has to be decoded first. */
export function imageAt(path: string): { code: string; format: ImageFormat } | null {
  const [, text, format] = imagePath.exec(path) ?? [];
  const code = parseCode(text);
  if (code === null || (format !== 'png' && format !== 'svg')) return null;
  return { code, format };
}

/** The path that clients use, from an inner one as the OpenAPI document spells it. */
export function outerPath(path: string): string {
  return path.replace(/^\/(png|svg)\/\{code\}$/, '/api/v1/qrs/{code}.$1');
}
