/** @jsxImportSource preact */
import type { ComponentChildren, JSX } from 'preact';
import { Link } from './page-context.tsx';

type CardProps = Omit<JSX.IntrinsicElements['section'], 'title'> & { readonly title: string };

/** A card with its title. */
export function Card({ title, children, ...rest }: CardProps) {
  return (
    <section class="card pad stack tight" {...rest}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

interface PartProps {
  readonly title: string;
  readonly isTight?: boolean;
  readonly id?: string;
  readonly children: ComponentChildren;
}

/** A part of a long form, which screen readers find by its title. */
export function Part({ title, isTight = false, id, children }: PartProps) {
  const heading = `part-${title.replaceAll(' ', '-').toLowerCase()}`;
  return (
    <section
      class={isTight ? 'card pad stack tight' : 'card pad stack'}
      id={id}
      aria-labelledby={heading}
    >
      <h2 id={heading}>{title}</h2>
      {children}
    </section>
  );
}

interface CrumbProps {
  /** Pages above it, the first one first. */
  readonly above: readonly (readonly [path: string, name: string])[];
  /** The name of the page, if its title does not say it. */
  readonly children?: string;
}

/** The breadcrumb of a page: links to the pages above it. */
export function Crumb({ above, children }: CrumbProps) {
  return (
    <div class="crumb">
      {above.map(([path, name], index) => [
        index > 0 && ' / ',
        <Link key={path} to={path}>
          <bdi>{name}</bdi>
        </Link>,
      ])}
      {children && [' / ', <bdi key="own">{children}</bdi>]}
    </div>
  );
}
