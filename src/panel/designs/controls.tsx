/** @jsxImportSource preact */
/** Why a field was rejected. Rendered hidden when it was not, so that the script can show it. */
export function Problem({ field, text }: { field: string; text: string | undefined }) {
  return (
    <p class="problem" id={`${field}-problem`} role="alert" hidden={text === undefined}>
      {text}
    </p>
  );
}

interface ColorFieldProps {
  readonly id: string;
  readonly label: string;
  /** `#rrggbb`, or empty to follow another field. */
  readonly value: string;
  readonly placeholder?: string;
  /** Id of the field whose colour applies while this one is empty. */
  readonly follows?: string;
  readonly problem: string | undefined;
}

/** A colour as text, with a colour picker that the script shows. */
export function ColorField(props: ColorFieldProps) {
  const { id, label, value, placeholder, follows, problem } = props;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <span class="row color" data-color data-follows={follows}>
        <input
          type="color"
          value={value || '#000000'}
          aria-label={`${label}: choose a colour`}
          hidden
        />
        <input
          id={id}
          name={id}
          type="text"
          value={value}
          placeholder={placeholder}
          required={follows === undefined}
          // Spaces around a pasted colour are allowed.
          pattern="\s*#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})\s*"
          title="A colour such as #1a2b3c"
          spellcheck={false}
          autocomplete="off"
          aria-describedby={`${id}-problem`}
          aria-invalid={problem === undefined ? undefined : 'true'}
        />
      </span>
      <Problem field={id} text={problem} />
    </div>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly values: readonly string[];
  readonly value: string;
}

/** A group of radio buttons. */
export function Choice({ name, label, values, value }: ChoiceProps) {
  return (
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
  );
}

interface SliderProps {
  readonly id: string;
  readonly label: string;
  readonly unit: string;
  readonly bounds: { readonly min: number; readonly max: number };
  readonly value: number;
}

/** A whole number within bounds, with its value beside it. */
export function Slider({ id, label, unit, bounds, value }: SliderProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <span class="row slider">
        <input
          id={id}
          name={id}
          type="range"
          min={bounds.min}
          max={bounds.max}
          step={1}
          value={value}
        />
        <output for={id} data-unit={unit}>
          {value} {unit}
        </output>
      </span>
    </div>
  );
}
