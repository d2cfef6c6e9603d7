/** @jsxImportSource preact */
import type { ComponentChildren, JSX, VNode } from 'preact';
import { isPathConflict } from '../../core/codes/urls/typed-path.ts';
import { ApiError, Refused } from '../../core/errors.ts';
import type { Reason } from '../../core/reasons.ts';
import type { Texts } from '../../languages/generated/texts.ts';
import type { Said } from '../../languages/texts.ts';
import { InvalidInput } from '../request/invalid-input.ts';
import type {
  Answer,
  FormFields,
  Problem,
  RejectedForm,
  RequestContext,
} from '../request/request.ts';
import { formatDestination, formatUrl } from './formatting.ts';
import { Form, HiddenFields, useRejectedForm } from './page-context.tsx';
import { messageOf, panelSentence } from './sentences/sentences.ts';

/** What a field is drawn with. */
export interface DrawnField {
  /** Unique on the page. */
  readonly id: string;
  readonly name: string;
  /** What was typed, else the current value. */
  readonly value: string;
  readonly problem: Problem | undefined;
  /** Whether the page focuses it: the first field that was rejected. Undefined without a rejection. */
  readonly isFocused: boolean | undefined;
}

/** A field of a form: how it is read, and how it is drawn. */
export interface Field<T> {
  /** @throws InvalidInput with a message that is shown at the field */
  read(typed: FormFields, name: string): T | Promise<T>;
  draw(field: DrawnField): VNode | null;
  readonly isHidden?: boolean;
  /** Whether it reads another text of the field `-instead`, for the button that offers it. */
  readonly takesSuggestions?: boolean;
}

/** Returns the text of a field: that of the button that was pressed beside it, else what was typed. */
export function typedText(typed: FormFields, name: string): string {
  return typed.text(`${name}-instead`) || typed.text(name);
}

/** Returns what an error says about a field. */
function problemOf(
  error: ApiError | InvalidInput | Refused,
  name: string,
  field?: Field<unknown>,
): Problem {
  const reason = error instanceof InvalidInput ? null : error.reason;
  return field?.takesSuggestions && reason !== null
    ? problemOfReason(reason, name)
    : { text: messageOf(error) };
}

/** Returns what a reason says about an address. What was probably meant is a button beside it. */
export function problemOfReason(reason: Reason, name: string): Problem {
  if (reason.kind !== 'wrong destination' || reason.meant === null)
    return { text: (t) => panelSentence(reason, t) };
  const text = (t: Texts) => panelSentence({ ...reason, meant: null }, t);
  return { text, answers: [suggestion(name, reason.meant)] };
}

/** Creates a button that fills an address into a field. */
export function suggestion(name: string, address: string): Answer {
  return {
    name: `${name}-instead`,
    value: address,
    text: (t) => t.fields.useAddress({ address: formatUrl(formatDestination(address)) }),
  };
}

/** A form: its fields by name, in the order in which they are drawn. */
export type FormDescription = Readonly<Record<string, Field<unknown>>>;

/** The values of a form by the names of its fields. */
export type Values<F extends FormDescription> = {
  readonly [Name in keyof F]: NonNullable<F[Name]> extends Field<infer T> ? T : never;
};

/** Fields of a form were rejected. Their page shows the form again. */
export class InvalidForm extends Error {
  override readonly name = 'InvalidForm';

  /** @param headers of the response, such as `Retry-After` */
  constructor(
    readonly problems: RejectedForm['problems'],
    readonly status = 422,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super('a form was rejected');
  }
}

/** Rejects one field of a form. */
export function invalidField(
  name: string,
  text: Said,
  ...rest: readonly [status?: number, headers?: Readonly<Record<string, string>>]
): InvalidForm {
  return new InvalidForm({ [name]: { text } }, ...rest);
}

/** Returns the form of a request whose fields were rejected, for its page. */
export function rejectedForm(
  { url }: RequestContext,
  typed: FormFields,
  { problems, status }: Pick<InvalidForm, 'problems' | 'status'>,
): RejectedForm {
  return { action: url.pathname, typed, problems, status };
}

/** Returns the form of a request for its page, which shows it again as typed, without problems. */
export function shownAgain(context: RequestContext, typed: FormFields, status = 200): RejectedForm {
  return rejectedForm(context, typed, { problems: {}, status });
}

/** Reads the fields of a form that are valid, and the problems of the others. */
export async function readFields<F extends FormDescription>(
  form: F,
  typed: FormFields,
): Promise<{ values: Partial<Values<F>>; problems: Record<string, Problem> }> {
  const values: Record<string, unknown> = {};
  const problems: Record<string, Problem> = {};
  for (const [name, field] of Object.entries(form))
    try {
      values[name] = await field.read(typed, name);
    } catch (error) {
      if (error instanceof InvalidForm) Object.assign(problems, error.problems);
      else if (error instanceof InvalidInput || error instanceof Refused || isShown(error))
        problems[name] = problemOf(error, name, field);
      else throw error;
    }
  // The cast is safe: each value was read by its field.
  return { values: values as Partial<Values<F>>, problems };
}

/**
 * Reads the values of a form.
 *
 * @throws InvalidForm with the problem of each field that is rejected
 */
export async function readValues<F extends FormDescription>(
  form: F,
  typed: FormFields,
): Promise<Values<F>> {
  const { values, problems } = await readFields(form, typed);
  if (Object.keys(problems).length > 0) throw new InvalidForm(problems);
  // The cast is safe: each field was read.
  return values as Values<F>;
}

const shownCodes: readonly string[] = ['invalid_url', 'unsafe_url', 'design_unreadable'];

/** Returns whether an error is about what was typed. */
function isShown(error: unknown): error is ApiError {
  return error instanceof ApiError && shownCodes.includes(error.code);
}

/** Returns an error as the rejection of a form. Rethrows one that is not about what was typed. */
export function toInvalidForm(error: unknown, form: FormDescription): InvalidForm {
  if (error instanceof InvalidForm) return error;
  const first = Object.keys(form).find((name) => !form[name]?.isHidden);
  if (first === undefined) throw error;
  if (error instanceof Refused && isPathConflict(error.reason) && 'path' in form)
    return invalidField('path', messageOf(error));
  if (error instanceof InvalidInput || error instanceof Refused)
    return new InvalidForm({ [first]: problemOf(error, first, form[first]) });
  if (!isShown(error)) throw error;
  const link = { to: '/account/design', text: (t: Texts) => t.fields.changeDesign };
  const said = problemOf(error, first, form[first]);
  if (error.code !== 'design_unreadable') return new InvalidForm({ [first]: said });
  return new InvalidForm({ ['design' in form ? 'design' : first]: { ...said, link } });
}

export type FormViewProps<F extends FormDescription> = Omit<
  JSX.IntrinsicElements['form'],
  'action' | 'method' | 'children' | 'form'
> & {
  readonly form: F;
  /** Path that it is sent to. A page that has a query and shows the form again needs the query too. */
  readonly to: string;
  /** Current values of its fields. */
  readonly values?: { readonly [Name in keyof F]?: string };
  /** Further hidden fields, which tell apart forms that are sent to the same path. */
  readonly hiddenValues?: Readonly<Record<string, string>>;
  /** Problems of current values, by the names of fields. */
  readonly problems?: RejectedForm['problems'];
  /** Field that the page focuses after a rejection; the first that was rejected when left out. */
  readonly focused?: string | undefined;
  /** Makes the ids of the fields unique on a page with several such forms. */
  readonly idSuffix?: string;
  /** What follows the fields, or a function that arranges them. */
  readonly children:
    | ComponentChildren
    | ((fields: { readonly [Name in keyof F]: VNode | null }, isRejected: boolean) => VNode);
};

/** Renders a form with its fields: as typed, with the problem at each field, if it was rejected. */
export function FormView<F extends FormDescription>(props: FormViewProps<F>) {
  const { form, to, values, hiddenValues = {}, idSuffix = '', children, ...rest } = props;
  const { problems: current, focused, ...attributes } = rest;
  const rejected = useRejectedForm(to, hiddenValues);
  const problems = { ...current, ...rejected?.problems };
  const [firstRejected] = Object.keys(form).filter((name) => problems[name] !== undefined);
  const fields = Object.entries(form).map(([name, field]) => {
    const current = values?.[name] ?? '';
    const value = rejected === null || field.isHidden ? current : typedText(rejected.typed, name);
    const problem = problems[name];
    const isFocused = rejected === null ? undefined : name === (focused ?? firstRejected);
    return [name, field.draw({ id: `${name}${idSuffix}`, name, value, problem, isFocused })];
  });
  return (
    <Form {...attributes} to={to}>
      <HiddenFields values={hiddenValues} />
      {typeof children === 'function' ? (
        // The cast is safe: each field has an entry.
        children(
          Object.fromEntries(fields) as { [Name in keyof F]: VNode | null },
          rejected !== null,
        )
      ) : (
        <>
          {fields.map(([, field]) => field)}
          {children}
        </>
      )}
    </Form>
  );
}
