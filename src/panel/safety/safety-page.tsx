/** @jsxImportSource preact */
import type { LookupResult, ReputationStatus, ReviewedCode } from '../../core/safety/admin.ts';
import type { Rule } from '../../core/safety/threat-lists.ts';
import { addressText, countText, hostOrPath, numberText } from '../ui/formatting.ts';
import { Day } from '../ui/moment.tsx';
import { Address, Field, Form, Notice } from '../ui/parts.tsx';
import { Found, WatchedRow } from './safety-codes.tsx';

/** What was typed for a rule that cannot be made, and why. */
export interface RefusedRule {
  readonly decision: Rule['decision'];
  readonly text: string;
  readonly note: string;
  readonly problem: string;
}

interface SafetyProps {
  readonly state: ReputationStatus;
  readonly rules: readonly Rule[];
  readonly flagged: readonly ReviewedCode[];
  readonly blocked: readonly ReviewedCode[];
  /** How many codes wait to be looked at again. */
  readonly waiting: number;
  /** What was looked up; empty where nothing was. */
  readonly asked: string;
  readonly found: LookupResult | null;
  readonly done: string | null;
  readonly refused: RefusedRule | null;
}

export function SafetyPage(props: SafetyProps) {
  const { state, flagged, blocked, asked, found, done } = props;
  return (
    <>
      <h1>Safety</h1>
      <p class="lead">
        Destinations are checked against your own rules first, then the lists
        {state.provider === null ? '.' : ', then the remote check.'}
      </p>
      {done !== null && <Notice kind="good" title={done} />}
      {state.warnings.map((warning) => (
        <Notice key={warning} kind="warning" title="Something needs attention">
          {warning}
        </Notice>
      ))}
      <search>
        <form class="search">
          <label class="hidden" for="q">
            Look up a code, a short link or an address
          </label>
          <input
            id="q"
            name="q"
            type="search"
            value={asked}
            placeholder="Code, link or address"
            autocomplete="off"
            spellcheck={false}
          />
          <button type="submit" class="quiet">
            Look up
          </button>
        </form>
      </search>
      {found !== null && <Found asked={asked} found={found} />}
      <div class="columns">
        <Codes title="Flagged codes" codes={flagged}>
          No code leads to a flagged address.
        </Codes>
        <Codes title="Blocked codes" codes={blocked}>
          You have blocked no code. Look one up to block it.
        </Codes>
      </div>
      <div class="columns">
        <Rules {...props} />
        <Lists {...props} />
      </div>
    </>
  );
}

interface CodesProps {
  readonly title: string;
  readonly codes: readonly ReviewedCode[];
  /** What is said where there is none. */
  readonly children: string;
}

function Codes({ title, codes, children }: CodesProps) {
  return (
    <section class="card">
      <h2>{title}</h2>
      {codes.length === 0 ? (
        <p class="hint">{children}</p>
      ) : (
        <ul class="rows">
          {codes.map((code) => (
            <WatchedRow key={code.code} code={code} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Rules({ rules, refused }: SafetyProps) {
  return (
    <section class="card">
      <h2>Your rules</h2>
      {rules.length > 0 && (
        <ul class="rows">
          {rules.map(({ decision, expression, addedAtMs, note }) => (
            <li key={expression}>
              <div>
                <div>
                  <b>{decision === 'block' ? 'Block' : 'Allow'}</b>{' '}
                  <Address text={hostOrPath(expression)} />
                </div>
                <span class="list-note">
                  since <Day ms={addedAtMs} />
                  {note !== '' && ` · ${note}`}
                </span>
              </div>
              <Form to="/account/safety/rules/withdraw">
                <input type="hidden" name="expression" value={expression} />
                <button
                  type="submit"
                  class="quiet"
                  aria-label={`Take back: ${addressText(hostOrPath(expression))}`}
                >
                  Take back
                </button>
              </Form>
            </li>
          ))}
        </ul>
      )}
      <Form to="/account/safety/rules" class="stack">
        <Field
          id="address"
          label="Domain or address"
          hint="A domain stands for all below it, an address that ends in / for all in that folder."
          problem={refused?.problem ?? null}
          input={{
            type: 'text',
            value: refused?.text ?? '',
            required: true,
            autocomplete: 'off',
            spellcheck: false,
            placeholder: 'evil.example',
          }}
        />
        <Field
          id="note"
          label="Why, for whoever reads it later"
          input={{ type: 'text', value: refused?.note ?? '', autocomplete: 'off', maxLength: 200 }}
        />
        <div class="row">
          <button type="submit" name="decision" value="block">
            Block it
          </button>
          <button type="submit" name="decision" value="allow" class="quiet">
            Allow it
          </button>
        </div>
      </Form>
    </section>
  );
}

function Lists({ state, waiting }: SafetyProps) {
  return (
    <section class="card">
      <h2>Lists</h2>
      {state.lists.length === 0 ? (
        <p class="hint">
          No list is imported. <code>waymark safety import</code> takes one.
        </p>
      ) : (
        <ul class="list">
          {state.lists.map(({ source, entries, importedAtMs }) => (
            <li key={source}>
              <span>{source}</span>
              <span class="list-note">
                {countText(entries, 'entry', 'entries')} · <Day ms={importedAtMs} />
              </span>
            </li>
          ))}
        </ul>
      )}
      <dl class="facts">
        <div>
          <dt>Remote check</dt>
          <dd>{state.provider ?? 'none'}</dd>
        </div>
        <div>
          <dt>Codes to look at again</dt>
          <dd>
            {state.isRecheckDue ? 'all: the rules or lists have changed' : numberText(waiting)}
          </dd>
        </div>
      </dl>
    </section>
  );
}
