/** @jsxImportSource preact */
import { hasActivePlan, requireActivePlan } from '../../core/accounts/account.ts';
import type { ApiKeyStatus } from '../../core/accounts/api-key.ts';
import { ApiError } from '../../core/errors.ts';
import { formatCount, formatNumber } from '../../lib/numbers.ts';
import { ownPasswordForm, requirePresentPassword } from '../accounts/confirmation.ts';
import type { PanelDeps } from '../request/deps.ts';
import { audit, type RequestContext, type SignedInContext } from '../request/request.ts';
import { page, redirectTo } from '../routing/responses.tsx';
import { owner, type Route } from '../routing/route.ts';
import { Card } from '../ui/cards.tsx';
import { Copyable, Facts, PageHead, RelativeTime, Time } from '../ui/components.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { hiddenField, parseChoice, selectField } from '../ui/fields.tsx';
import { FormView, invalidField } from '../ui/form.tsx';
import { formatDateTime } from '../ui/formatting.ts';
import {
  ButtonLink,
  Link,
  PostButton,
  Submit,
  useHasActivePlan,
  useRequest,
} from '../ui/page-context.tsx';
import { messageOf } from '../ui/sentences/sentences.ts';

const path = '/account/key';

const overlaps = [
  { value: '0', text: 'not at all' },
  { value: '1', text: 'for an hour' },
  { value: '24', text: 'for a day' },
  { value: '168', text: 'for a week' },
] as const;

const form = {
  /** When the key was created that the page shows. */
  replaces: hiddenField((text) => text),
  overlap: selectField({
    label: 'The current key works on',
    hint: 'Beside the new one, so that programs can be changed one by one.',
    options: overlaps,
    parse: (text) =>
      Number(
        parseChoice(
          text,
          overlaps.map(({ value }) => value),
          '0',
        ),
      ),
  }),
};

const formOf = (context: RequestContext) => ({ ...form, ...ownPasswordForm(context) });
/** The form of the first key. */
const firstFormOf = (context: RequestContext) => ({
  replaces: form.replaces,
  ...ownPasswordForm(context),
});

/** Creates the routes of the account's API key. */
export function keyRoutes({ apiKeys, signIn, rateLimit }: PanelDeps): Route[] {
  /** Responds with the page of the key, with a new key if there is one. */
  const show = async (context: SignedInContext, newKey: string | null = null) =>
    page(
      context,
      'API key',
      <>
        <PageHead title="API key" text="Create and edit codes from your own programs.">
          <ButtonLink to="/docs">API docs</ButtonLink>
        </PageHead>
        {newKey !== null && <NewKey newKey={newKey} />}
        <CurrentKey status={await apiKeys.status(context.accountId)} rateLimit={rateLimit} />
      </>,
    );

  /** Responds with the form that replaces the key, or generates the first one. */
  const showReplace = async (context: SignedInContext) => {
    const status = await apiKeys.status(context.accountId);
    if (status === null || !hasActivePlan(context.session.entered, context.nowMs))
      return show(context);
    return page(
      context,
      'Replace key',
      <FormDialog
        title="Replace the key?"
        form={formOf(context)}
        to={path}
        values={{ replaces: String(status.record.createdAtMs), overlap: '24' }}
        back={path}
        button="Replace"
      >
        <p>
          Without the current key, programs that use it get <code>401</code> until they have the new
          one. Printed codes are not affected.
        </p>
      </FormDialog>,
    );
  };

  return [
    owner.get(path, (context) => show(context)),
    owner.get(`${path}/replace`, showReplace),
    owner.get(`${path}/revoke`, async (context) =>
      page(
        context,
        'Revoke key',
        <FormDialog
          title="Revoke the key?"
          form={{}}
          to={`${path}/revoke`}
          back={path}
          button="Revoke"
          isDestroying
        >
          <p>
            Programs that use the key get <code>401</code>. Printed codes are not affected.
          </p>
        </FormDialog>,
      ),
    ),
    owner.submit(
      path,
      {
        form: async (context) => formOf(context),
        page: showReplace,
        needsConfirmation: 'without password',
      },
      async (context, { replaces, overlap, password }) => {
        const { entered: account } = context.session;
        requireActivePlan(account, context.nowMs);
        await requirePresentPassword(signIn, context, password);
        const field = password === undefined ? 'overlap' : 'password';
        // Reloading the page of a new key sends the form again, which must not replace that key.
        const expectedMs = replaces === '' ? null : Number(replaces);
        const issued = await apiKeys
          .generate(account, context.acting.by, overlap, expectedMs)
          .catch((error: unknown) => {
            if (!(error instanceof ApiError && error.code === 'rate_limited')) throw error;
            throw invalidField(field, messageOf(error), error.status);
          });
        if (issued.outcome === 'outdated')
          throw invalidField(field, 'Nothing was changed: this page showed an earlier key.', 409);
        audit(context, expectedMs === null ? 'API key generated' : 'API key replaced');
        return show(context, issued.key);
      },
    ),
    owner.post(`${path}/end-old`, async (context) => {
      await apiKeys.endFormer(context.acting);
      audit(context, 'replaced API key ended');
      return redirectTo(context, path, { kind: 'oldKeyEnded' });
    }),
    owner.post(`${path}/revoke`, async (context) => {
      await apiKeys.revoke(context.acting);
      audit(context, 'API key revoked');
      return redirectTo(context, path, { kind: 'keyRevoked' });
    }),
  ];
}

function NewKey({ newKey }: { newKey: string }) {
  const { publicUrl } = useRequest();
  const api = `${publicUrl}/api/v1/qrs`;
  return (
    <Card isRegion title="Your new key" class="card pad stack tight highlight" data-key={newKey}>
      <p>
        Copy it now: it is shown <b>only this once</b>. The server stores only its hash.
      </p>
      <Copyable label="Copy the key" text={newKey} />
      <h3>Your first request</h3>
      <p class="soft">Each of these creates a code. They are ready to paste.</p>
      {Object.entries(firstRequests(api, newKey)).map(([language, text]) => (
        <details key={language} open={language === 'curl'}>
          <summary>{language}</summary>
          <Copyable label={`Copy the request in ${language}`} text={text} />
        </details>
      ))}
      <p>
        <ButtonLink to="/docs" target="_blank" icon="docs">
          Try it in Swagger UI
        </ButtonLink>
      </p>
      <p class="hint script-only">
        It has the key while this page is open. The key is not stored in the browser.
      </p>
    </Card>
  );
}

/** Returns a request that creates a code, by language. */
function firstRequests(api: string, key: string): Readonly<Record<string, string>> {
  return {
    curl: `curl -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"url":"https://example.com/"}' ${api}`,
    TypeScript: `const response = await fetch('${api}', {
  method: 'POST',
  headers: { Authorization: 'Bearer ${key}', 'Content-Type': 'application/json' },
  body: JSON.stringify({ url: 'https://example.com/' }),
});
console.log(await response.json());`,
    Python: `import json, urllib.request

request = urllib.request.Request(
    "${api}",
    data=json.dumps({"url": "https://example.com/"}).encode(),
    headers={"Authorization": "Bearer ${key}", "Content-Type": "application/json"},
)
print(json.load(urllib.request.urlopen(request)))`,
  };
}

function CurrentKey({ status, rateLimit }: { status: ApiKeyStatus | null; rateLimit: number }) {
  const isActive = useHasActivePlan();
  if (status === null)
    return (
      <Card title="No API key yet">
        {isActive ? (
          <>
            <p>The key is shown only once. You can replace or revoke it at any time.</p>
            <FormView form={firstFormOf(useRequest())} to={path} class="stack narrow">
              <Submit>Generate key</Submit>
            </FormView>
          </>
        ) : (
          <p>You can generate a key once your account has an active plan.</p>
        )}
      </Card>
    );
  const { record, usedInWindow } = status;
  return (
    <section class="card pad stack tight">
      <h2>
        Key ending in <code>{record.lastFour}</code>
      </h2>
      <Facts
        of={{
          Generated: <RelativeTime ms={record.createdAtMs} />,
          'Last used':
            record.lastUsedAtMs === null ? 'never' : <RelativeTime ms={record.lastUsedAtMs} />,
          'In the last minute': `${formatNumber(usedInWindow)} of ${formatCount(rateLimit, 'request')}`,
        }}
      />
      {record.former !== null && (
        <>
          <p>
            The replaced key ending in <code>{record.former.lastFour}</code> works beside it until{' '}
            <Time ms={record.former.untilMs} format={formatDateTime} />.
          </p>
          <PostButton to={`${path}/end-old`} class="button">
            End the replaced key now
          </PostButton>
        </>
      )}
      <div class="row">
        {isActive && (
          <ButtonLink to={`${path}/replace`} data-dialog>
            Replace…
          </ButtonLink>
        )}
        <Link class="button danger" to={`${path}/revoke`} data-dialog>
          Revoke…
        </Link>
      </div>
    </section>
  );
}
