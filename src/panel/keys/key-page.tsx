/** @jsxImportSource preact */
import type { ApiKeyStatus } from '../../core/accounts/api-key.ts';
import { countText, numberText } from '../ui/formatting.ts';
import { Ago } from '../ui/moment.tsx';
import { AskFirst, Copyable, Form, Link, Notice } from '../ui/parts.tsx';

interface KeyProps {
  readonly state: ApiKeyStatus | null;
  /** A key that was made just now: shown once. */
  readonly fresh: string | null;
  readonly publicUrl: string;
  readonly rateLimit: number;
  readonly planEnded: boolean;
  readonly nowMs: number;
  readonly done: string | null;
  readonly problem?: string | null;
}

export function KeyPage(props: KeyProps) {
  const { state, fresh, done, problem = null } = props;
  return (
    <>
      <h1>API key</h1>
      <p class="lead">
        With a key, your own programs create and edit codes. <Link to="/docs">Try the API</Link> in
        the browser.
      </p>
      {done !== null && <Notice kind="good" title={done} />}
      {problem !== null && <Notice kind="bad" title={problem} />}
      {fresh !== null && <FreshKey fresh={fresh} publicUrl={props.publicUrl} />}
      {state === null ? (
        <NoKey planEnded={props.planEnded} />
      ) : (
        <PresentKey {...props} state={state} />
      )}
    </>
  );
}

function FreshKey({ fresh, publicUrl }: { fresh: string; publicUrl: string }) {
  const curl = `curl -H 'Authorization: Bearer ${fresh}' -H 'Content-Type: application/json' -d '{"url":"https://example.com/"}' ${publicUrl}/api/v1/qrs`;
  return (
    <section class="card fresh" aria-labelledby="fresh-title">
      <h2 id="fresh-title">Your new key</h2>
      <p>
        Copy it now: it is shown <b>only this once</b>. We store only a hash of it.
      </p>
      <Copyable label="the key" text={fresh} />
      <p>Ready to try, this creates a code:</p>
      <Copyable label="the command" text={curl} wide />
    </section>
  );
}

function NoKey({ planEnded }: { planEnded: boolean }) {
  return (
    <section class="empty">
      <h2>You have no key yet</h2>
      {planEnded ? (
        <p>A key needs an active plan. You can make one as soon as yours is renewed.</p>
      ) : (
        <>
          <p>It is shown once when it is made. You can replace or revoke it at any time.</p>
          <Form to="/account/key">
            <input type="hidden" name="replaces" value="" />
            <button type="submit">Make a key</button>
          </Form>
        </>
      )}
    </section>
  );
}

function PresentKey({ state, rateLimit, planEnded, nowMs }: KeyProps & { state: ApiKeyStatus }) {
  const { record, usedInWindow } = state;
  return (
    <section class="card">
      <h2>
        Key ending in <code>{record.lastFour}</code>
      </h2>
      <dl class="facts">
        <div>
          <dt>Made</dt>
          <dd>
            <Ago ms={record.createdAtMs} nowMs={nowMs} />
          </dd>
        </div>
        <div>
          <dt>Last used</dt>
          <dd>
            {record.lastUsedAtMs === null ? (
              'never'
            ) : (
              <Ago ms={record.lastUsedAtMs} nowMs={nowMs} />
            )}
          </dd>
        </div>
        <div>
          <dt>In the last minute</dt>
          <dd>
            {numberText(usedInWindow)} of {countText(rateLimit, 'request')}
            <meter
              min={0}
              max={rateLimit}
              value={usedInWindow}
              aria-label="Requests in the last minute"
            />
          </dd>
        </div>
      </dl>
      {!planEnded && (
        <AskFirst
          ask="Replace the key…"
          to="/account/key"
          act="Replace it now"
          fields={<input type="hidden" name="replaces" value={String(record.createdAtMs)} />}
        >
          <p>
            Programs that use the present key are answered <code>401</code> from that moment on,
            until they have the new one. Printed codes are not affected.
          </p>
        </AskFirst>
      )}
      <AskFirst ask="Revoke the key…" to="/account/key/revoke" act="Revoke it now">
        <p>
          Programs that use it are answered <code>401</code> from that moment on, for good. Printed
          codes are not affected.
        </p>
      </AskFirst>
    </section>
  );
}
