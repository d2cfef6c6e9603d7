/** @jsxImportSource preact */
import type { JSX } from 'preact';
import { Link, type LinkProps } from './page-context.tsx';

/** A button that sends its form; the most important one of the page by default. */
export function Submit(props: Omit<JSX.IntrinsicElements['button'], 'type'>) {
  const button = { class: 'button primary', ...props };
  return <button type="submit" {...button} />;
}

/** A link that looks like a button. */
export function ButtonLink(props: LinkProps) {
  return <Link class="button" {...props} />;
}

/** A link within a text. */
export function TextLink(props: LinkProps) {
  return <Link class="link" {...props} />;
}
