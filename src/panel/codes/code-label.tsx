/** @jsxImportSource preact */
import type { Qr } from '../../core/codes/qr.ts';
import { readableUrl } from '../../lib/text/readable-url.ts';
import { formatDestination } from '../ui/formatting.ts';
import { useRequest, useTexts } from '../ui/page-context.tsx';

/** Returns the path of a code's page. */
export function codePath(code: string): string {
  return `/account/codes/${encodeURIComponent(code)}`;
}

/** Returns the id of a code's row in a list, for links to it. */
export function anchorOf({ id }: Pick<Qr, 'id'>): string {
  return `code-${id}`;
}

/** Returns the name of a code for a title or a message, else the code. */
export function titleOf({ name, code }: Pick<Qr, 'name' | 'code'>): string {
  return name ?? code;
}

/** Returns the domain that a code is printed with, without the scheme. */
export function domainOf({ shortLink }: Pick<Qr, 'shortLink'>): string {
  return readableUrl(new URL(shortLink).host);
}

/** Returns the domain of a code that is not printed with the main one; null for the others. */
export function otherDomainOf(qr: Pick<Qr, 'shortLink'>, mainUrl: string): string | null {
  const domain = domainOf(qr);
  return domain === domainOf({ shortLink: mainUrl }) ? null : domain;
}

/** Renders the labels of a code that does not redirect or is flagged, separated for screen readers. */
export function CodeTags({
  qr: { status, flag, isArchived },
}: {
  qr: Pick<Qr, 'status' | 'flag'> & Partial<Pick<Qr, 'isArchived'>>;
}) {
  const t = useTexts().codeState;
  return (
    <>
      {status !== 'active' && [
        ' ',
        <span key="status" class={`pill ${status === 'blocked' ? 'bad' : 'warn'}`}>
          {status === 'stopped' ? t.stopped : t[status]}
        </span>,
      ]}
      {isArchived === true && [
        ' ',
        <span key="archived" class="pill plain">
          {t.archived}
        </span>,
      ]}
      {flag !== null && [
        ' ',
        <span key="flag" class="pill bad">
          {t.flagged}
        </span>,
      ]}
    </>
  );
}

/** Returns the path of a code's picture for a page; see `picture` in code.tsx. */
export function picturePath(
  code: string,
  options: { readonly size?: 'medium' | 'large'; readonly form?: string } = {},
): string {
  const query = new URLSearchParams(options).toString();
  return `${codePath(code)}/picture${query && `?${query}`}`;
}

/** Renders the destination of a code in one line, without its scheme. */
export function CodeDestination({ destination }: Pick<Qr, 'destination'>) {
  return (
    <span class="target" title={readableUrl(destination)}>
      {formatDestination(destination)}
    </span>
  );
}

/** Renders the small picture of a code beside its name. */
export function Thumbnail({ qr: { code, image } }: { qr: Pick<Qr, 'code' | 'image'> }) {
  return <SmallPicture path={image === null ? null : picturePath(code)} />;
}

/** Renders a small picture of a code. @param path null for an imported link, which has none */
export function SmallPicture({ path }: { path: string | null }) {
  const { basePath } = useRequest();
  const t = useTexts();
  if (path === null) return <span class="pill plain">{t.codeState.importedLink}</span>;
  return <img class="qr" src={`${basePath}${path}`} alt="" loading="lazy" />;
}
