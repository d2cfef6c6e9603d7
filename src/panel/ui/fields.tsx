/** @jsxImportSource preact */

import type { VNode } from 'preact';
import { maxNameLength } from '../../core/labels.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import type { Said } from '../../languages/texts.ts';
import { InvalidInput } from '../request/invalid-input.ts';
import type { DrawnField, Field } from './form.tsx';
import { Icon } from './icons.tsx';
import { Submit, TextLink, useRequest, useSaid, useTexts } from './page-context.tsx';

interface Description {
  readonly label: Said;
  readonly hint?: Said;
  /** Whether it may stay empty, which the label says where others must not. */
  readonly isOptional?: boolean;
  /** Whether only screen readers read the label, because its place says what the field is. */
  readonly isLabelHidden?: boolean;
  /** Whether the script shows and hides the problem. */
  readonly isLive?: boolean;
  /** Whether the page focuses it, unless another one was rejected. */
  readonly autofocus?: boolean;
  /**
   * Whether the script selects its text when it is focused first, because it is mostly replaced.
   * The hint says so.
   */
  readonly isSelected?: boolean;
}

interface Parsed<T> extends Description {
  /** @throws InvalidInput */
  readonly parse: (text: string) => T;
}

/** Draws a control with its label, hint and problem, which screen readers read with it. */
export function labelled(
  description: Description,
  { id, name, problem, isFocused }: DrawnField,
  control: (attributes: object) => VNode,
): VNode {
  const { isLabelHidden = false, isLive = false, isSelected, autofocus } = description;
  const label = useSaid(description.label);
  const hasProblem = problem !== undefined;
  // What was rejected is not selected.
  const hint = isSelected && hasProblem ? undefined : description.hint && useSaid(description.hint);
  const isInvalid = hasProblem && problem.isWarning !== true;
  const answers = problem?.answers ?? [];
  const optional = description.isOptional && useTexts().fields.optional;
  const ids = [hint && `${id}-hint`, (hasProblem || isLive) && `${id}-problem`].filter(Boolean);
  return (
    <div class="field">
      <label for={id} class={isLabelHidden ? 'hidden' : undefined}>
        {label}
        {optional && <span class="optional"> {optional}</span>}
      </label>
      {/* The first button is the one that Enter presses: not an answer. */}
      {answers.length > 0 && <button type="submit" hidden />}
      {control({
        id,
        name,
        autofocus: isFocused ?? autofocus,
        'data-select': isSelected,
        'aria-describedby': ids.length > 0 ? ids.join(' ') : undefined,
        'aria-invalid': isInvalid ? 'true' : undefined,
      })}
      {hint && (
        <p class={isSelected ? 'hint script-only' : 'hint'} id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {(hasProblem || isLive) && (
        <p
          class={problem?.isWarning ? 'error warning' : 'error'}
          id={`${id}-problem`}
          role="alert"
          hidden={!hasProblem}
        >
          <Icon name={problem?.isWarning ? 'warn' : 'bad'} />
          <span>
            {problem && useSaid(problem.text)}
            {problem?.link && [
              ' ',
              <TextLink key="link" to={problem.link.to}>
                {useSaid(problem.link.text)}
              </TextLink>,
            ]}
            {answers.length > 0 && (
              <span class="suggest">
                {answers.map(({ name, value, text }) => (
                  <Submit key={value} class="button small" name={name} value={value}>
                    {useSaid(text)}
                  </Submit>
                ))}
              </span>
            )}
          </span>
        </p>
      )}
    </div>
  );
}

/** Creates a field whose text is parsed. */
function parsedField<T>(
  parse: (text: string) => T | Promise<T>,
  draw: (drawn: DrawnField) => VNode,
): Field<T> {
  return { read: (typed, name) => parse(typed.text(name)), draw };
}

interface TextOptions<T> extends Parsed<T> {
  readonly type?: 'text' | 'email' | 'password' | 'date' | 'time';
  readonly inputMode?: 'url' | 'decimal' | 'email';
  readonly placeholder?: Said;
  readonly required?: boolean;
  readonly autocomplete?:
    | 'off'
    | 'username'
    | 'email'
    | 'current-password'
    | 'new-password'
    | 'one-time-code';
  readonly autocapitalize?: 'none';
  readonly spellcheck?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** Attributes of a text that is no language: an address, or a code. */
export const verbatim = { autocapitalize: 'none', spellcheck: false } as const;

/** Creates a field of one line. A password is never shown again. */
export function textField<T>(options: TextOptions<T>): Field<T> {
  return parsedField(options.parse, (drawn) =>
    labelled(options, drawn, (attributes) => {
      const { type = 'text', ...own } = ownAttributes(options);
      const isPassword = type === 'password';
      const input = (
        <input
          // The cast is safe: Preact describes each type by itself, and all these have the same attributes.
          type={type as 'text'}
          dir="auto"
          class="input"
          {...own}
          {...attributes}
          value={isPassword ? undefined : drawn.value}
        />
      );
      return isPassword ? <Secret>{input}</Secret> : input;
    }),
  );
}

/** Renders the input of a password, with a button of the script that shows what is typed. */
function Secret({ children }: { children: VNode }) {
  return (
    <div class="secret">
      {children}
      <button type="button" class="button plain small script-only" aria-pressed="false" data-show>
        {useTexts().fields.show}
      </button>
    </div>
  );
}

/** Returns the attributes of an element among the options of its field. */
function ownAttributes<Options extends Parsed<unknown> & { readonly placeholder?: Said }>(
  options: Options,
) {
  const {
    label,
    hint,
    isOptional,
    isLabelHidden,
    isLive,
    isSelected,
    autofocus,
    parse,
    ...attributes
  } = options;
  const { placeholder } = options;
  return { ...attributes, placeholder: placeholder && useSaid(placeholder) };
}

/** Accepts any text. Spaces around it are removed. */
export function trimmed(text: string): string {
  return text.trim();
}

/** Creates a field for an e-mail address. */
export function emailField<T>(
  options: Omit<TextOptions<T>, 'label'> & { readonly label?: Said },
): Field<T> {
  const defaults = { type: 'email', required: true } as const;
  return textField({
    label: (t) => t.fields.email,
    ...verbatim,
    ...defaults,
    autocomplete: 'username',
    ...options,
  });
}

/** Creates a field for a name. Browsers count UTF-16 code units, of which a character has up to two. */
export function nameField<T>(options: TextOptions<T>): Field<T> {
  return textField({ maxLength: 2 * maxNameLength, ...options });
}

interface AreaOptions<T> extends Omit<TextOptions<T>, 'type'> {
  readonly rows: number;
  /** A longer text is not shown again. */
  readonly maxShownLength?: number;
}

/** Creates a field of several lines. */
export function areaField<T>({ maxShownLength, ...options }: AreaOptions<T>): Field<T> {
  return parsedField(options.parse, (drawn) =>
    labelled(options, drawn, (attributes) => (
      <textarea
        dir="auto"
        class="input area"
        {...ownAttributes(options)}
        {...attributes}
        value={afterStartTag(drawn.value.slice(0, maxShownLength))}
      />
    )),
  );
}

/** Returns the content of a textarea. Browsers leave out its first line break (HTML, 13.1.2.5). */
function afterStartTag(text: string): string {
  return /^[\r\n]/.test(text) ? `\n${text}` : text;
}

/** A choice of a list. */
export interface Choice {
  readonly value: string;
  readonly text: Said;
  /** Choices of a group follow each other. */
  readonly group?: Said;
  /** For rules of the style sheet about what is chosen. */
  readonly kind?: string;
}

interface SelectOptions<T> extends Parsed<T> {
  readonly options: readonly Choice[];
}

/**
 * Returns the value that a text names, or the default for an empty text, such as of a missing field.
 *
 * @throws InvalidInput for any other text
 */
export function parseChoice<T, Default>(
  text: string,
  values: readonly T[],
  defaultValue: Default,
): T | Default {
  if (text === '') return defaultValue;
  const chosen = values.find((value) => String(value) === text);
  if (chosen === undefined) throw new InvalidInput((t) => t.fields.noSuchChoice);
  return chosen;
}

/** Creates a choice from a list. */
export function selectField<T>(description: SelectOptions<T>): Field<T> {
  return parsedField(description.parse, (drawn) =>
    labelled(description, drawn, (attributes) => (
      <select class="select" {...attributes}>
        <Options options={description.options} chosen={drawn.value} />
      </select>
    )),
  );
}

/** Renders the options of a select. */
export function Options({ options, chosen }: { options: readonly Choice[]; chosen: string }) {
  return Array.from(
    Map.groupBy(options, ({ group }) => group && useSaid(group)),
    ([group, members]) => {
      const drawn = members.map(({ value, text, kind }) => (
        <option key={value} value={value} selected={value === chosen} data-kind={kind}>
          {useSaid(text)}
        </option>
      ));
      if (group === undefined) return drawn;
      return (
        <optgroup key={group} label={group}>
          {drawn}
        </optgroup>
      );
    },
  );
}

interface ChoiceOptions<T> extends Parsed<T> {
  readonly choices: readonly {
    readonly value: string;
    readonly title: Said;
    /** What follows. */
    readonly text?: Said;
    /** Language of the title, if it is another one than that of the page. */
    readonly lang?: string;
  }[];
  /** Whether they are short, and stand side by side below the first one. */
  readonly isShort?: boolean;
}

/** Tiles to choose one of. The first is chosen at first. */
export function choiceField<T>({
  label,
  choices,
  parse,
  isLabelHidden,
  isShort,
}: ChoiceOptions<T>): Field<T> {
  return parsedField(parse, ({ name, value: chosen, problem }) => (
    <fieldset class={isShort ? 'tiles' : 'stack tight'}>
      <legend class={isLabelHidden ? 'hidden' : 'legend'}>{useSaid(label)}</legend>
      {choices.map(({ value, title, text, lang }, index) => (
        <label key={value} class="choice">
          <input
            class="box"
            type="radio"
            name={name}
            value={value}
            checked={chosen === '' ? index === 0 : value === chosen}
          />
          <span>
            {text === undefined ? (
              <bdi lang={lang}>{useSaid(title)}</bdi>
            ) : (
              <>
                <b>{useSaid(title)}</b>
                <span class="small soft">{useSaid(text)}</span>
              </>
            )}
          </span>
        </label>
      ))}
      {problem && <p class="error">{useSaid(problem.text)}</p>}
    </fieldset>
  ));
}

/** Creates a check box. Its value is `yes`. */
export function checkField(label: Said, hint?: Said): Field<boolean> {
  return parsedField(
    (text) => text === 'yes',
    ({ name, value }) => (
      <label class="check">
        <input class="box" type="checkbox" name={name} value="yes" checked={value === 'yes'} />
        <span>
          {useSaid(label)}
          {hint && <span class="hint">{useSaid(hint)}</span>}
        </span>
      </label>
    ),
  );
}

/** Creates a field that the page fills in. */
export function hiddenField<T>(parse: (text: string) => T | Promise<T>): Field<T> {
  const field = parsedField(parse, ({ name, value }) => (
    <input type="hidden" name={name} value={value} />
  ));
  return { ...field, isHidden: true };
}

interface FileOptions<T> extends Description {
  readonly accept: string;
  readonly maxBytes: number;
  /** @throws InvalidInput */
  readonly parse: (bytes: Uint8Array | null) => T | Promise<T>;
}

/** Attributes of a file input, with which the script rejects larger files. */
export function fileBound(maxBytes: number, { fields }: Texts) {
  const megabytes = Math.floor(maxBytes / 1_000_000);
  return { 'data-max-bytes': maxBytes, 'data-too-large': fields.fileTooLarge({ megabytes }) };
}

/** Creates a file to upload. Browsers choose none again after a rejection. */
export function fileField<T>(options: FileOptions<T>): Field<T> {
  return {
    read: async (typed, name) => options.parse(await typed.file(name)),
    draw: (drawn) =>
      labelled({ isLive: true, ...options }, drawn, (attributes) => (
        <input
          {...attributes}
          {...fileBound(options.maxBytes, useTexts())}
          type="file"
          accept={options.accept}
        />
      )),
  };
}

interface ColorOptions<T> extends Parsed<T> {
  readonly placeholder?: Said;
  /** Id of the field whose colour applies while this one is empty. */
  readonly follows?: string;
}

/** Creates a colour as text, with a colour picker that the script shows. */
export function colorField<T>(options: ColorOptions<T>): Field<T> {
  const { label, parse, placeholder, follows } = options;
  return parsedField(parse, (drawn) =>
    labelled({ isLive: true, ...options }, drawn, (attributes) => (
      <span class="colour" data-color data-follows={follows}>
        <input
          type="color"
          value={/^#[0-9a-f]{6}$/i.test(drawn.value) ? drawn.value : '#000000'}
          aria-label={useTexts().fields.chooseColour({ label: useSaid(label) })}
          hidden
        />
        <input
          {...attributes}
          type="text"
          class="input"
          value={drawn.value}
          placeholder={placeholder && useSaid(placeholder)}
          required={follows === undefined}
          // Spaces around a pasted colour are allowed.
          pattern="\s*#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})\s*"
          title={useTexts().fields.colourPattern}
          spellcheck={false}
          autocomplete="off"
        />
      </span>
    )),
  );
}

/** Creates a choice of few, side by side. */
export function segmentedField<T>({ label, options, parse }: SelectOptions<T>): Field<T> {
  return parsedField(parse, (drawn) => (
    <fieldset class="field">
      <legend class="legend">{useSaid(label)}</legend>
      <div class="segmented">
        {options.map(({ value, text }) => (
          <label key={value}>
            <input type="radio" name={drawn.name} value={value} checked={value === drawn.value} />
            <span>{useSaid(text)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  ));
}

/**
 * Creates a group of radio buttons under pictures. An unknown value is null.
 *
 * @param nameOf says what is below a picture
 */
export function pictureField<T extends string>(
  label: Said,
  pictures: Readonly<Record<T, VNode>>,
  nameOf: (texts: Texts, value: T) => string,
): Field<T | null> {
  // The cast is safe: the keys of the table are those of its type.
  const values = Object.keys(pictures) as T[];
  return parsedField(
    (text) => values.find((value) => value === text) ?? null,
    ({ name, value }) => (
      <fieldset class="field">
        <legend class="legend">{useSaid(label)}</legend>
        <div class="pictures three">
          {values.map((one) => (
            <label key={one} class="picture">
              <input type="radio" name={name} value={one} checked={one === value} />
              <svg class="drawing" viewBox="0 0 44 44" aria-hidden="true">
                {pictures[one]}
              </svg>
              <span>{nameOf(useTexts(), one)}</span>
            </label>
          ))}
        </div>
      </fieldset>
    ),
  );
}

/**
 * Creates a whole number within bounds, with its value beside it. Anything else is null.
 *
 * @param valueText says a value with its unit; the script has those of all values
 */
export function sliderField(
  label: Said,
  valueText: (texts: Texts, value: number) => string,
  { min, max }: { readonly min: number; readonly max: number },
  hint?: Said,
): Field<number | null> {
  const values = Array.from({ length: max - min + 1 }, (_, index) => min + index);
  const parse = (text: string) =>
    /^\d{1,3}$/.test(text) ? Math.min(Math.max(Number(text), min), max) : null;
  return parsedField(parse, (drawn) => (
    <div class="slider">
      <label for={drawn.id}>{useSaid(label)}</label>
      <output
        for={drawn.id}
        data-texts={values.map((value) => valueText(useTexts(), value)).join('|')}
      >
        {valueText(useTexts(), Number(drawn.value))}
      </output>
      <input
        id={drawn.id}
        name={drawn.name}
        type="range"
        min={min}
        max={max}
        step={1}
        value={drawn.value}
        aria-describedby={hint && `${drawn.id}-hint`}
      />
      {hint && (
        <p class="hint" id={`${drawn.id}-hint`}>
          {useSaid(hint)}
        </p>
      )}
    </div>
  ));
}

/** Renders a hidden field that tells password managers which account's password a form sets. */
export function Username({ email }: { email: string }) {
  return (
    <input type="email" name="username" value={email} autocomplete="username" hidden readOnly />
  );
}

interface QuerySelectProps {
  readonly name: string;
  readonly label: string;
  readonly options: readonly Choice[];
  /** What is chosen; that of the page's query when left out. */
  readonly value?: string;
}

/** Renders a choice of the query of a page. Only screen readers read its label. */
export function QuerySelect({ name, label, options, value }: QuerySelectProps) {
  const { searchParams } = useRequest().url;
  return (
    <>
      <label class="hidden" for={`by-${name}`}>
        {label}
      </label>
      <select class="select auto" id={`by-${name}`} name={name}>
        <Options options={options} chosen={value ?? searchParams.get(name) ?? ''} />
      </select>
    </>
  );
}
