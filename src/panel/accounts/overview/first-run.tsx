/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact';
import type { Qr } from '../../../core/codes/qr.ts';
import type { ReadabilityResult } from '../../../core/designs/design.ts';
import { parseName } from '../../../core/labels.ts';
import { destinationField } from '../../codes/code-forms.ts';
import { codePath, picturePath, titleOf } from '../../codes/code-label.tsx';
import { Image, PageHead, RelativeTime } from '../../ui/components.tsx';
import { hiddenField, nameField } from '../../ui/fields.tsx';
import { FormView } from '../../ui/form.tsx';
import { formatDestination, formatUrl } from '../../ui/formatting.ts';
import { Icon } from '../../ui/icons.tsx';
import {
  ButtonLink,
  Link,
  PostButton,
  Submit,
  TextLink,
  useHasActivePlan,
  useRequest,
} from '../../ui/page-context.tsx';

/** The form of the first code. Sending it twice with the same attempt creates one code. */
export const firstCodeForm = {
  attempt: hiddenField((text) => text),
  url: destinationField('Where should it lead?'),
  name: nameField({ label: 'Name (optional)', parse: parseName, placeholder: 'Table 1' }),
};

interface FirstRunProps {
  /** Identifies the form of the first code. */
  readonly attempt: string;
  /** Readability of the default design; null if the server is too busy to check it. */
  readonly readability: ReadabilityResult | null;
  /** Whether the design was chosen, black on white included. */
  readonly isDesignChosen: boolean;
  /** The code to scan, once there is one. */
  readonly qr: Qr | null;
}

/** Renders the way from a new account to a code that was scanned. */
export function FirstRun({ attempt, readability, isDesignChosen, qr }: FirstRunProps) {
  const isScanned = (qr?.scans ?? 0) > 0;
  return (
    <>
      <PageHead title="Welcome to Waymark" text="Three steps to a code that works on paper." />
      <ol class="card steps" data-first={qr !== null && !isScanned ? qr.code : undefined}>
        <DesignStep readability={readability} isDone={isDesignChosen || qr !== null} />
        {qr === null ? (
          <>
            <CreateStep attempt={attempt} isCurrent={isDesignChosen} />
            <Step number={3} state="later" title="Scan it with your phone">
              <p class="small">
                Your code appears here. This page says so the moment your scan arrives.
              </p>
            </Step>
          </>
        ) : (
          <>
            <Step
              number={2}
              state="done"
              title="Your first code"
              action={
                <Link class="button small" to={codePath(qr.code)}>
                  Open
                </Link>
              }
            >
              <p class="small soft">
                <bdi>{titleOf(qr)}</bdi> leads to {shown(qr)}
              </p>
            </Step>
            <ScanStep qr={qr} />
          </>
        )}
      </ol>
    </>
  );
}

interface StepProps {
  readonly number: number;
  readonly state: 'done' | 'current' | 'later';
  readonly title: string;
  readonly children: ComponentChildren;
  /** At the end of the line. */
  readonly action?: ComponentChildren;
}

function Step({ number, state, title, children, action }: StepProps) {
  return (
    <li class={state} aria-current={state === 'current' ? 'step' : undefined}>
      <StepNumber number={number} isDone={state === 'done'} />
      <div class="body">
        <div>
          <h2>
            {title}
            {state === 'done' && <span class="hidden">, done</span>}
          </h2>
          {children}
        </div>
        {action}
      </div>
    </li>
  );
}

function StepNumber({ number, isDone }: { number: number; isDone: boolean }) {
  return (
    <span class="number" aria-hidden="true">
      {isDone ? <Icon name="tick" /> : number}
    </span>
  );
}

interface DesignStepProps extends Pick<FirstRunProps, 'readability'> {
  readonly isDone: boolean;
}

function DesignStep({ readability, isDone }: DesignStepProps) {
  if (!isDone)
    return (
      <Step
        number={1}
        state="current"
        title="Logo and colours"
        action={
          <div class="row">
            <ButtonLink to="/account/design">Open the design</ButtonLink>
            <PostButton to="/account/start" values={{ step: 'black' }} class="button plain">
              Keep black
            </PostButton>
          </div>
        }
      >
        <p class="small soft">
          Black on white works at once. Your own colours can’t be added to a printed code later.
        </p>
      </Step>
    );
  return (
    <Step
      number={1}
      state="done"
      title="Logo and colours"
      action={
        <Link class="button small" to="/account/design">
          Change
        </Link>
      }
    >
      <p class="small soft">
        {readability === null
          ? 'Your next codes use it.'
          : readability.isReadable
            ? `Phones can read your design. Readability ${readability.score} of 100.`
            : 'Phones can’t read your design. No code can be created with it.'}
      </p>
    </Step>
  );
}

function CreateStep({ attempt, isCurrent }: { attempt: string; isCurrent: boolean }) {
  const { shortUrl } = useRequest();
  const hasActivePlan = useHasActivePlan();
  return (
    <li aria-current={isCurrent ? 'step' : undefined}>
      <StepNumber number={2} isDone={false} />
      <FormView form={firstCodeForm} to="/account/first" values={{ attempt }} class="body">
        {({ url, name }) => (
          <>
            <div>
              <h2>Your first code</h2>
              <p class="small soft">
                You can change where it leads at any time. The printed code stays the same.
              </p>
            </div>
            <div class="fields fold">
              {url}
              {name}
            </div>
            <div class="row">
              <Submit>Create code</Submit>
              <span class="small soft">
                {hasActivePlan
                  ? `Short link: ${shortUrl.replace(/^https?:\/\//, '')}/…`
                  : 'You can create codes once this account has an active plan.'}
              </span>
            </div>
          </>
        )}
      </FormView>
    </li>
  );
}

/** Renders the code, and whether its first scan has arrived. */
function ScanStep({ qr }: { qr: Qr }) {
  const isScanned = qr.scans > 0;
  return (
    <li {...(isScanned ? { class: 'done last' } : { 'aria-current': 'step' })}>
      <StepNumber number={3} isDone={isScanned} />
      <div class={isScanned ? 'body whole' : 'body'}>
        <div class="scan">
          {!isScanned && <OpenOnPhone qr={qr} />}
          <div class="plate">
            <Image
              path={picturePath(qr.code, { size: 'large' })}
              alt={`QR code of ${titleOf(qr)}`}
              widthPx={232}
            />
          </div>
          <div class="stack tight">
            {isScanned ? <h2>It works</h2> : <h2 class="compact-hide">Scan it with your phone</h2>}
            <div role="status">
              {isScanned ? (
                <p>
                  <b>Scanned {qr.lastScanMs !== null && <RelativeTime ms={qr.lastScanMs} />}.</b>{' '}
                  Your phone went to {shown(qr)}.
                </p>
              ) : (
                <>
                  <p class="wait script-only">Waiting for the first scan…</p>
                  <p class="no-script">
                    <TextLink to={`/account?first=${encodeURIComponent(qr.code)}`}>
                      Reload after your scan
                    </TextLink>
                  </p>
                </>
              )}
            </div>
            <p class="small soft">
              {isScanned
                ? 'Change the destination whenever you like. This picture never changes.'
                : 'Point the camera of a phone at the code and open the link. No app is needed.'}
            </p>
            {isScanned ? (
              <div class="row">
                <Link class="button primary" to={codePath(qr.code)}>
                  Go to the code
                </Link>
                <ButtonLink to="/account/batches">Create many</ButtonLink>
              </div>
            ) : (
              <PostButton to="/account/start" values={{ step: 'skip' }} class="button">
                Skip
              </PostButton>
            )}
          </div>
        </div>
      </div>
    </li>
  );
}

/** Renders the way without a second device, for whoever reads this on a phone: it cannot scan its own screen. */
function OpenOnPhone({ qr: { shortLink } }: { qr: Qr }) {
  return (
    <div class="stack tight phone-only">
      <h2>Try it with this phone</h2>
      <a class="button primary large wide" href={shortLink} target="_blank" rel="noreferrer">
        Open the link on this phone
      </a>
      <p class="small soft">It counts as the first scan. Or scan the code with another phone.</p>
    </div>
  );
}

function shown({ destination }: Pick<Qr, 'destination'>): string {
  return formatUrl(formatDestination(destination));
}
