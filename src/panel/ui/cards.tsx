/** @jsxImportSource preact */
import type { ComponentChildren, JSX } from 'preact';
import { Link } from './page-context.tsx';

type CardProps = Omit<JSX.IntrinsicElements['section'], 'title'> & {
  readonly title: string;
  /** Whether screen readers find it by its title, among the parts of a long page. */
  readonly isRegion?: boolean;
};

/** Renders a card with its title. */
export function Card({ title, isRegion = false, children, ...rest }: CardProps) {
  return (
    <section class="card pad stack tight" aria-label={isRegion ? title : undefined} {...rest}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

interface ListCardProps {
  readonly title: string;
  /** What stands beside the title. */
  readonly beside?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Renders a card with its title, which a list or a table fills. */
export function ListCard({ title, beside, children }: ListCardProps) {
  return (
    <section class="card" aria-label={title}>
      <div class="cardhead">
        <h2>{title}</h2>
        {beside}
      </div>
      {children}
    </section>
  );
}

interface DoorCardProps {
  readonly title: string;
  readonly text: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Renders the card of a page for visitors who are not signed in. */
export function DoorCard({ title, text, children }: DoorCardProps) {
  return (
    <section class="card">
      <div class="stack close">
        <h1>{title}</h1>
        <p class="soft">{text}</p>
      </div>
      {children}
    </section>
  );
}

export interface CrumbProps {
  /** Pages above it, the first one first. */
  readonly above: readonly (readonly [path: string, name: string])[];
  /** The name of the page, if its title does not say it. */
  readonly children?: string;
}

/** Renders the breadcrumb of a page: links to the pages above it. */
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
