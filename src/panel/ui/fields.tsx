/** @jsxImportSource preact */
import type { ComponentChildren, JSX } from 'preact';

interface LabelProps {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  /** Why the value was rejected. */
  readonly problem?: ComponentChildren;
}

/** A label with its field, hint and problem. */
function Labelled({
  id,
  label,
  hint,
  problem,
  children,
}: LabelProps & { readonly children: ComponentChildren }) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {children}
      {problem && (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  );
}

/** Returns the attributes that tie a field to its hint and problem. */
function describe({ id, hint, problem }: LabelProps) {
  const describedBy = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ');
  return {
    'aria-describedby': describedBy === '' ? undefined : describedBy,
    'aria-invalid': problem ? ('true' as const) : undefined,
  };
}

/** A text field with its label, hint and problem. A field with a problem gets the focus. */
export function Field(props: LabelProps & JSX.IntrinsicElements['input']) {
  const { label, hint, problem, ...input } = props;
  return (
    <Labelled {...props}>
      <input
        name={props.id}
        {...input}
        autofocus={input.autofocus === true || Boolean(problem)}
        {...describe(props)}
      />
    </Labelled>
  );
}

/** A text field of several lines. */
export function TextArea(
  props: LabelProps & JSX.IntrinsicElements['textarea'] & { readonly value: string },
) {
  const { label, hint, problem, ...area } = props;
  return (
    <Labelled {...props}>
      <textarea name={props.id} {...area} autofocus={Boolean(problem)} {...describe(props)} />
    </Labelled>
  );
}

interface SelectProps extends LabelProps {
  /** Name of the field; the id when left out. */
  readonly name?: string;
  readonly options: readonly { readonly value: string; readonly text: string }[];
  readonly value: string;
}

/** A choice from a list. */
export function Select(props: SelectProps) {
  const { id, name, options, value } = props;
  return (
    <Labelled {...props}>
      <select id={id} name={name ?? id} {...describe(props)}>
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.text}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

/** A hidden field that tells password managers which account's password a form sets. */
export function Username({ email }: { email: string }) {
  return (
    <input type="email" name="username" value={email} autocomplete="username" hidden readOnly />
  );
}
