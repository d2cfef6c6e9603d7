/** @jsxImportSource preact */
import type { SavedDesign } from '../../core/ports.ts';
import { maxNameInput } from '../codes/labels.tsx';
import type { PanelDeps } from '../deps.ts';
import { redirectTo } from '../routing/responses.tsx';
import { type Route, signedIn } from '../routing/route.ts';
import { Confirm, Time } from '../ui/components.tsx';
import { Form, Link } from '../ui/page-context.tsx';

/** Creates the routes that change saved designs. */
export function savedDesignRoutes({ savedDesigns }: PanelDeps): Route[] {
  return [
    signedIn.post('/account/design/saved/default', async (context, form) => {
      await savedDesigns.makeDefault(context.session.account.id, form.text('saved'));
      return redirectTo(context, '/account/design?done=design-default');
    }),
    signedIn.post('/account/design/saved/rename', async (context, form) => {
      const { id } = context.session.account;
      await savedDesigns.rename(id, form.text('saved'), form.text('name'));
      return redirectTo(context, '/account/design?done=design-renamed');
    }),
    signedIn.post('/account/design/saved/delete', async (context, form) => {
      await savedDesigns.remove(context.session.account.id, form.text('saved'));
      return redirectTo(context, '/account/design?done=design-deleted');
    }),
  ];
}

/** Returns the path of the design page that shows a saved design. */
export function savedDesignPath(name: string): string {
  return `/account/design?${new URLSearchParams({ name })}`;
}

/** The saved designs of an account. */
export function SavedDesignList({ saved }: { saved: readonly SavedDesign[] }) {
  return (
    <section class="card">
      <h2>Saved designs</h2>
      {saved.length === 0 ? (
        <p class="hint">
          None yet. Save a design under a name, and you can choose it for each new code or batch of
          codes.
        </p>
      ) : (
        <ul class="rows">
          {saved.map((one) => (
            <SavedDesignRow key={one.name} saved={one} />
          ))}
        </ul>
      )}
    </section>
  );
}

function SavedDesignRow({ saved: { name, savedAtMs } }: { saved: SavedDesign }) {
  return (
    <li>
      <div>
        <Link to={savedDesignPath(name)}>
          <bdi class="name">{name}</bdi>
        </Link>
        <span class="hint">
          saved on <Time ms={savedAtMs} />
        </span>
      </div>
      <Form to="/account/design/saved/default">
        <input type="hidden" name="saved" value={name} />
        <button type="submit" class="quiet" aria-label={`Make “${name}” the default`}>
          Make default
        </button>
      </Form>
      <details class="rename">
        <summary aria-label={`Rename “${name}”`}>Rename</summary>
        <Form to="/account/design/saved/rename" class="row">
          <input type="hidden" name="saved" value={name} />
          <input
            name="name"
            type="text"
            aria-label={`New name of “${name}”`}
            value={name}
            maxLength={maxNameInput}
            required
            autocomplete="off"
          />
          <button type="submit">Save</button>
        </Form>
      </details>
      <Confirm summary="Delete" button="Delete the saved design" to="/account/design/saved/delete">
        <input type="hidden" name="saved" value={name} />
        <p>Codes that were created with it keep it.</p>
      </Confirm>
    </li>
  );
}
