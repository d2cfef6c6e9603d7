/** @jsxImportSource preact */
import { Link, type LinkProps } from './page-context.tsx';

/** A link that looks like a button. */
export function ButtonLink(props: LinkProps) {
  return <Link class="button" {...props} />;
}

/** A link within a text. */
export function TextLink(props: LinkProps) {
  return <Link class="link" {...props} />;
}
