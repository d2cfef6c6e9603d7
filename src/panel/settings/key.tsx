/** @jsxImportSource preact */
import { hasActivePlan, requireActivePlan } from '../../core/accounts/account.ts';
import type { ApiKeyStatus } from '../../core/accounts/api-key.ts';
import { ApiError } from '../../core/errors.ts';
import { ownPasswordForm, requirePresentPassword } from '../accounts/confirmation.ts';
import type { PanelDeps } from '../request/deps.ts';
import { audit, type RequestContext, type SignedInContext } from '../request/request.ts';
import { page, redirectTo } from '../routing/responses.tsx';
import { owner, type Route } from '../routing/route.ts';
import { Card } from '../ui/cards.tsx';
import { Copyable, Facts, PageHead, RelativeTime, Time } from '../ui/components.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { type Choice, hiddenField, parseChoice, selectField } from '../ui/fields.tsx';
import { FormView, invalidField } from '../ui/form.tsx';
import { formatDateTime } from '../ui/formatting.ts';
import {
  ButtonLink,
  Link,
  PostButton,
  Submit,
  useHasActivePlan,
  useRequest,
  useTexts,
} from '../ui/page-context.tsx';
import { messageOf } from '../ui/sentences/sentences.ts';

const path = '/account/key';

const overlaps = [
  { value: '0', text: (t) => t.apiKey.worksOnNotAtAll },
  { value: '1', text: (t) => t.apiKey.worksOnForHour },
  { value: '24', text: (t) => t.apiKey.worksOnForDay },
  { value: '168', text: (t) => t.apiKey.worksOnForWeek },
] as const satisfies readonly Choice[];

const form = {
  /** When the key was created that the page shows. */
  replaces: hiddenField((text) => text),
  overlap: selectField({
    label: (t) => t.apiKey.currentWorksOn,
    hint: (t) => t.apiKey.currentWorksOnHint,
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
  const show = async (context: SignedInContext, newKey: string | null = null) => {
    const { apiKey: t, pages } = context.texts;
    return page(
      context,
      pages.apiKey,
      <>
        <PageHead title={pages.apiKey} text={t.whatFor}>
          <ButtonLink to="/docs">{pages.apiDocs}</ButtonLink>
        </PageHead>
        {newKey !== null && <NewKey newKey={newKey} />}
        <CurrentKey status={await apiKeys.status(context.accountId)} rateLimit={rateLimit} />
      </>,
    );
  };

  /** Responds with the form that replaces the key, or generates the first one. */
  const showReplace = async (context: SignedInContext) => {
    const status = await apiKeys.status(context.accountId);
    if (status === null || !hasActivePlan(context.session.entered, context.nowMs))
      return show(context);
    const { apiKey: t } = context.texts;
    return page(
      context,
      t.replaceKey,
      <FormDialog
        title={t.replaceQuestion}
        form={formOf(context)}
        to={path}
        values={{ replaces: String(status.record.createdAtMs), overlap: '24' }}
        back={path}
        button={t.replace}
      >
        <p>{t.replacing({ status: <code>401</code> })}</p>
      </FormDialog>,
    );
  };

  return [
    owner.get(path, (context) => show(context)),
    owner.get(`${path}/replace`, showReplace),
    owner.get(`${path}/revoke`, async (context) => {
      const { apiKey: t } = context.texts;
      return page(
        context,
        t.revokeKey,
        <FormDialog
          title={t.revokeQuestion}
          form={{}}
          to={`${path}/revoke`}
          back={path}
          button={t.revoke}
          isDestroying
        >
          <p>{t.revoking({ status: <code>401</code> })}</p>
        </FormDialog>,
      );
    }),
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
        if (issued.outcome === 'outdated') throw invalidField(field, (t) => t.apiKey.outdated, 409);
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
  const { apiKey: t } = useTexts();
  const api = `${publicUrl}/api/v1/qrs`;
  return (
    <Card isRegion title={t.yourNewKey} class="card pad stack tight highlight" data-key={newKey}>
      <p>{t.copyItNow({ b: (text) => <b>{text}</b> })}</p>
      <Copyable label={t.copy} text={newKey} />
      <h3>{t.firstRequest}</h3>
      <p class="soft">{t.readyToPaste}</p>
      {Object.entries(firstRequests(api, newKey)).map(([language, text]) => (
        <details key={language} open={language === 'curl'}>
          <summary>{language}</summary>
          <Copyable label={t.copyRequest({ language })} text={text} />
        </details>
      ))}
      <p>
        <ButtonLink to="/docs" target="_blank" icon="docs">
          {t.tryIt}
        </ButtonLink>
      </p>
      <p class="hint script-only">{t.inThisPage}</p>
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
  const { apiKey: t } = useTexts();
  if (status === null)
    return (
      <Card title={t.noneYet}>
        {isActive ? (
          <>
            <p>{t.shownOnce}</p>
            <FormView form={firstFormOf(useRequest())} to={path} class="stack narrow">
              <Submit>{t.generate}</Submit>
            </FormView>
          </>
        ) : (
          <p>{t.needsPlan}</p>
        )}
      </Card>
    );
  const { record, usedInWindow } = status;
  return (
    <section class="card pad stack tight">
      <h2>{t.endingIn({ end: <code>{record.lastFour}</code> })}</h2>
      <Facts
        of={{
          [t.generated]: <RelativeTime ms={record.createdAtMs} />,
          [t.lastUsed]:
            record.lastUsedAtMs === null ? t.neverUsed : <RelativeTime ms={record.lastUsedAtMs} />,
          [t.lastMinute]: t.usedOfLimit({ used: usedInWindow, limit: rateLimit }),
        }}
      />
      {record.former !== null && (
        <>
          <p>
            {t.replacedWorksUntil({
              end: <code>{record.former.lastFour}</code>,
              time: <Time ms={record.former.untilMs} format={formatDateTime} />,
            })}
          </p>
          <PostButton to={`${path}/end-old`} class="button">
            {t.endReplaced}
          </PostButton>
        </>
      )}
      <div class="row">
        {isActive && (
          <ButtonLink to={`${path}/replace`} data-dialog>
            {t.replaceMenu}
          </ButtonLink>
        )}
        <Link class="button danger" to={`${path}/revoke`} data-dialog>
          {t.revokeMenu}
        </Link>
      </div>
    </section>
  );
}
