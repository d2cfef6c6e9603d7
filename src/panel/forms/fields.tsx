/** @jsxImportSource preact */
import type { ComponentChildren, JSX } from 'preact';
import { maxNameLength } from '../../core/labels.ts';
import type { Problem } from '../request/request.ts';
import { Link } from '../ui/page-context.tsx';
import type { Field } from './form.tsx';

interface Description {
  readonly label: string;
  readonly hint?: string;
  /** Whether only screen readers read the label, because its place says what the field is. */
  readonly isLabelHidden?: boolean;
}

/** Names a field and tells its hint and problem, beside it and for screen readers. */
interface Labelling extends Description {
  readonly id: string;
  readonly problem?: Problem | undefined;
  /** Whether the script shows and hides the problem. */
  readonly isLive?: boolean;
}

function Labelled(props: Labelling & { readonly children: ComponentChildren }) {
  const { id, label, hint, isLabelHidden = false, children } = props;
  return (
    <div class="field">
      <label for={id} class={isLabelHidden ? 'hidden' : undefined}>
        {label}
      </label>
      <Hint id={id} hint={hint} />
      {children}
      <ProblemText {...props} />
    </div>
  );
}

function Hint({ id, hint }: { readonly id: string; readonly hint: string | undefined }) {
  return hint ? (
    <p class="hint" id={`${id}-hint`}>
      {hint}
    </p>
  ) : null;
}

function ProblemText({ id, problem, isLive = false }: Omit<Labelling, keyof Description>) {
  if (problem === undefined && !isLive) return null;
  return (
    <p class="problem" id={`${id}-problem`} role="alert" hidden={problem === undefined}>
      {problem?.text}
      {problem?.link && [' ', <Link to={problem.link.to}>{problem.link.text}</Link>]}
    </p>
  );
}

/** Returns the attributes that tie a field to its hint and problem. */
function describe({ id, hint, problem, isLive }: Labelling) {
  const ids = [hint && `${id}-hint`, (problem || isLive) && `${id}-problem`].filter(Boolean);
  return {
    'aria-describedby': ids.length === 0 ? undefined : ids.join(' '),
    'aria-invalid': problem ? ('true' as const) : undefined,
  };
}

/** Attributes of text fields. */
interface TextAttributes {
  readonly type?: 'text' | 'email' | 'password' | 'date';
  readonly inputMode?: 'url' | 'decimal';
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly autocomplete?: 'off' | 'username' | 'current-password' | 'new-password';
  readonly autocapitalize?: 'none';
  readonly spellcheck?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly rows?: number;
  readonly autofocus?: boolean;
}

interface TextOptions<T> extends Description, TextAttributes {
  /** @throws InvalidInput */
  readonly parse: (text: string) => T;
}

/** A field of one line. A password is never shown again. */
export function textField<T>(options: TextOptions<T>): Field<T> {
  const { label, hint, isLabelHidden = false, parse, ...attributes } = options;
  return {
    read: (typed, name) => parse(typed.text(name)),
    draw: ({ id, name, value, problem, isFocused }) => {
      const labelling = { id, label, problem, isLabelHidden, ...(hint && { hint }) };
      // The cast is safe: all these types have these attributes. Preact describes each type by itself.
      const input = {
        ...{ id, name, type: 'text', ...attributes },
        value: attributes.type === 'password' ? undefined : value,
        autofocus: isFocused ?? attributes.autofocus,
      } as JSX.IntrinsicElements['input'];
      return (
        <Labelled {...labelling}>
          <input {...input} {...describe(labelling)} />
        </Labelled>
      );
    },
  };
}

/** Accepts any text. Spaces around it are removed. */
export function trimmed(text: string): string {
  return text.trim();
}

/** A field for a name. Browsers count UTF-16 code units, of which a character has up to two. */
export function nameField<T>(options: TextOptions<T>): Field<T> {
  return textField({ maxLength: 2 * maxNameLength, autocomplete: 'off', ...options });
}

interface AreaOptions<T> extends Omit<TextOptions<T>, 'type'> {
  /** A longer text is not shown again. */
  readonly maxShownLength?: number;
}

/** A field of several lines. */
export function areaField<T>(options: AreaOptions<T>): Field<T> {
  const { label, hint, parse, maxShownLength, ...attributes } = options;
  return {
    read: (typed, name) => parse(typed.text(name)),
    draw: ({ id, name, value, problem, isFocused }) => {
      const labelling = { id, label, problem, ...(hint && { hint }) };
      return (
        <Labelled {...labelling}>
          <textarea
            id={id}
            name={name}
            {...attributes}
            value={value.slice(0, maxShownLength)}
            autofocus={isFocused}
            {...describe(labelling)}
          />
        </Labelled>
      );
    },
  };
}

export interface SelectOption {
  readonly value: string;
  readonly text: string;
}

/** A choice from a list. */
export function selectField<T>(
  description: Description & {
    readonly options: readonly SelectOption[];
    /** @throws InvalidInput */
    readonly parse: (value: string) => T;
  },
): Field<T> {
  const { options, parse } = description;
  return {
    read: (typed, name) => parse(typed.text(name)),
    draw: ({ id, name, value, problem, isFocused }) => {
      const labelling = { ...description, id, problem };
      return (
        <Labelled {...labelling}>
          <select id={id} name={name} autofocus={isFocused} {...describe(labelling)}>
            {options.map((option) => (
              <option key={option.value} value={option.value} selected={option.value === value}>
                {option.text}
              </option>
            ))}
          </select>
        </Labelled>
      );
    },
  };
}

/** A check box. Its value is `yes`. */
export function checkField(label: string): Field<boolean> {
  return {
    read: (typed, name) => typed.text(name) === 'yes',
    draw: ({ name, value }) => (
      <label class="check">
        <input type="checkbox" name={name} value="yes" checked={value === 'yes'} />
        {label}
      </label>
    ),
  };
}

/** A field that the page fills in. */
export function hiddenField<T>(parse: (text: string) => T | Promise<T>): Field<T> {
  return {
    isHidden: true,
    read: (typed, name) => parse(typed.text(name)),
    draw: ({ name, value }) => <input type="hidden" name={name} value={value} />,
  };
}

interface FileOptions<T> extends Description {
  readonly accept: string;
  /** @throws InvalidInput */
  readonly parse: (bytes: Uint8Array | null) => T | Promise<T>;
  readonly isLive?: boolean;
}

/** A file to upload. Browsers choose none again after a rejection. */
export function fileField<T>({ accept, parse, ...description }: FileOptions<T>): Field<T> {
  return {
    read: async (typed, name) => parse(await typed.file(name)),
    draw: ({ id, name, problem, isFocused }) => {
      const labelling = { ...description, id, problem };
      return (
        <Labelled {...labelling}>
          <input
            id={id}
            name={name}
            type="file"
            accept={accept}
            autofocus={isFocused}
            {...describe(labelling)}
          />
        </Labelled>
      );
    },
  };
}

interface ColorOptions<T> extends Description {
  readonly parse: (text: string) => T;
  readonly placeholder?: string;
  /** Id of the field whose colour applies while this one is empty. */
  readonly follows?: string;
}

/** A colour as text, with a colour picker that the script shows. */
export function colorField<T>(options: ColorOptions<T>): Field<T> {
  const { label, parse, placeholder, follows } = options;
  return {
    read: (typed, name) => parse(typed.text(name)),
    draw: ({ id, name, value, problem, isFocused }) => {
      const labelling = { id, label, problem, isLive: true };
      const isColor = /^#[0-9a-f]{6}$/i.test(value);
      return (
        <Labelled {...labelling}>
          <span class="row color" data-color data-follows={follows}>
            <input
              type="color"
              value={isColor ? value : '#000000'}
              aria-label={`${label}: choose a colour`}
              hidden
            />
            <input
              id={id}
              name={name}
              type="text"
              value={value}
              placeholder={placeholder}
              required={follows === undefined}
              // Spaces around a pasted colour are allowed.
              pattern="\s*#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})\s*"
              title="A colour such as #1a2b3c"
              spellcheck={false}
              autocomplete="off"
              autofocus={isFocused}
              {...describe(labelling)}
            />
          </span>
        </Labelled>
      );
    },
  };
}

/** A group of radio buttons. An unknown value is null. */
export function radioField<T extends string>(label: string, values: readonly T[]): Field<T | null> {
  return {
    read: (typed, name) => values.find((value) => value === typed.text(name)) ?? null,
    draw: ({ name, value }) => (
      <fieldset class="field">
        <legend>{label}</legend>
        <span class="choices">
          {values.map((one) => (
            <label key={one} class="check">
              <input type="radio" name={name} value={one} checked={one === value} />
              <span>{`${one.charAt(0).toUpperCase()}${one.slice(1)}`}</span>
            </label>
          ))}
        </span>
      </fieldset>
    ),
  };
}

/** A whole number within bounds, with its value beside it. Anything else is null. */
export function sliderField(
  label: string,
  unit: string,
  { min, max }: { readonly min: number; readonly max: number },
): Field<number | null> {
  return {
    read: (typed, name) => {
      const text = typed.text(name);
      return /^\d{1,3}$/.test(text) ? Math.min(Math.max(Number(text), min), max) : null;
    },
    draw: ({ id, name, value }) => (
      <Labelled id={id} label={label}>
        <span class="row slider">
          <input id={id} name={name} type="range" min={min} max={max} step={1} value={value} />
          <output for={id} data-unit={unit}>
            {value} {unit}
          </output>
        </span>
      </Labelled>
    ),
  };
}

/** A hidden field that tells password managers which account's password a form sets. */
export function Username({ email }: { email: string }) {
  return (
    <input type="email" name="username" value={email} autocomplete="username" hidden readOnly />
  );
}
