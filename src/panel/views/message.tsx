/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import { Link } from './parts.tsx';

/** A page that says one thing. */
export function MessagePage({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="message">
      <h1>{title}</h1>
      <p>{children}</p>
      <p>
        <Link class="button quiet" to="/account">
          To your codes
        </Link>
      </p>
    </section>
  );
}
