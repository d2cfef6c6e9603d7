/** @jsxImportSource preact */
import type { QrInsight } from '../../core/codes/insight.ts';
import type { Flag, Qr } from '../../core/codes/qr.ts';
import { flagSource } from '../../core/safety/flag.ts';
import type { Span } from '../../core/scans/series.ts';
import { addressText, hostOrPath } from '../ui/formatting.ts';
import { Day, Minute } from '../ui/moment.tsx';
import { Address, Copyable, destinationInput, Field, Form, Link, Notice } from '../ui/parts.tsx';
import { Picture, PrintSizes } from './code-image.tsx';
import { pathOfCode } from './code-request.ts';
import { Scans } from './code-scans.tsx';
import { CodeTags } from './code-tags.tsx';

interface CodeProps {
  readonly qr: Qr;
  readonly insight: QrInsight;
  readonly span: Span;
  readonly nowMs: number;
  readonly planEnded: boolean;
  readonly done: string | null;
  readonly typed?: string;
  readonly problem?: string | null;
}

export function CodePage(props: CodeProps) {
  const { qr, insight, done } = props;
  return (
    <>
      <p class="back">
        <Link to="/account">Codes</Link>
      </p>
      <h1>
        <span class="code-name">{qr.code}</span>
        <CodeTags status={qr.status} flagged={qr.flag !== null} />
      </h1>
      <p class="lead">
        Created on <Day ms={qr.createdAtMs} />
      </p>
      {done !== null && <Notice kind="good" title={done} />}
      <StatusNotice qr={qr} />
      {qr.flag !== null && <FlagNotice flag={qr.flag} />}
      <div class="code-page">
        <div class="side">
          <Picture qr={qr} />
          <PrintSizes print={insight.print} />
        </div>
        <div class="side">
          <section class="card">
            <h2>Short link</h2>
            <Copyable label="the short link" text={qr.shortLink} />
            <Destination {...props} />
          </section>
          <Scans {...props} />
          {insight.former.length > 0 && <Former {...props} />}
          <OnOff {...props} />
        </div>
      </div>
    </>
  );
}

function StatusNotice({ qr }: { qr: Qr }) {
  if (qr.status === 'paused')
    return (
      <Notice kind="warning" title="This code is paused">
        Whoever scans it sees a page that says so (410), and nothing is counted.
      </Notice>
    );
  if (qr.status === 'blocked')
    return (
      <Notice kind="bad" title="The operator has blocked this code">
        Whoever scans it sees a page that says so (410). Ask the operator of this server.
      </Notice>
    );
  return null;
}

function FlagNotice({ flag }: { flag: Flag }) {
  return (
    <Notice kind="bad" title="The destination is flagged as dangerous">
      Since <Minute ms={flag.sinceMs} /> {reasonOf(flag)} Whoever scans the code may see a warning
      first. Lead it elsewhere, or ask the operator if that is wrong.
    </Notice>
  );
}

function reasonOf({ list, expression }: Flag): string {
  const address = addressText(hostOrPath(expression));
  return {
    operator: `the operator of this server blocks “${address}”.`,
    'built-in': `it is one of the addresses for trying such checks out, “${address}”.`,
    'remote check': `the remote check “${list}” flags “${address}”.`,
    'imported list': `it is on the list “${list}” as “${address}”.`,
  }[flagSource(list)];
}

// What a field shows whole on a wide page.
const fittingLength = 60;

function Destination({ qr, span, planEnded, typed, problem = null }: CodeProps) {
  if (planEnded)
    return (
      <>
        <h2>Leads to</h2>
        <Address text={qr.destination} />
        <a href={qr.destination} rel="noreferrer">
          Open
        </a>
        <p class="hint">A new destination can be set once the plan is renewed.</p>
      </>
    );
  return (
    <Form to={pathOfCode(`${qr.code}/destination`, span)} class="stack">
      <Field
        id="url"
        label="Leads to"
        problem={problem}
        hint="Change it whenever you like: what is printed stays the same."
        input={{
          ...destinationInput,
          value: typed ?? qr.destination,
        }}
      />
      <div class="row">
        <button type="submit">Save</button>
        <a class="button quiet" href={qr.destination} rel="noreferrer">
          Open
        </a>
        <p class="hint unsaved" hidden={problem === null}>
          Not saved yet
        </p>
      </div>
      {qr.destination.length > fittingLength && (
        <div class="hint">
          <Address text={qr.destination} />
        </div>
      )}
    </Form>
  );
}

function Former({ qr, insight, span, planEnded }: CodeProps) {
  return (
    <section class="card">
      <h2>Earlier destinations</h2>
      <ol class="rows">
        {insight.former.map(({ destination, untilMs }) => (
          <li key={`${untilMs} ${destination}`}>
            <div>
              <Address text={destination} />
              <span class="list-note">
                until <Minute ms={untilMs} />
              </span>
            </div>
            {!planEnded && destination !== qr.destination && (
              <Form to={pathOfCode(`${qr.code}/destination`, span)}>
                <input type="hidden" name="url" value={destination} />
                <button
                  type="submit"
                  class="quiet"
                  aria-label={`Use this destination again: ${addressText(destination)}`}
                >
                  Use this destination again
                </button>
              </Form>
            )}
          </li>
        ))}
      </ol>
      {insight.hasMoreFormer && <p class="hint">The latest {insight.former.length} are shown.</p>}
    </section>
  );
}

function OnOff({ qr, span }: CodeProps) {
  if (qr.status === 'blocked') return null;
  const paused = qr.status === 'paused';
  return (
    <section class="card on-off">
      <div>
        <h2>{paused ? 'Paused' : 'Pause'}</h2>
        <p class="hint">
          {paused
            ? 'Resumed, it redirects and counts again.'
            : 'Paused, it shows a page that says so instead of redirecting, and counts nothing.'}
        </p>
      </div>
      <Form to={pathOfCode(`${qr.code}/${paused ? 'resume' : 'pause'}`, span)}>
        <button type="submit" class="quiet">
          {paused ? 'Resume the code' : 'Pause the code'}
        </button>
      </Form>
    </section>
  );
}
