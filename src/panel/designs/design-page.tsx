/** @jsxImportSource preact */
import {
  type Design,
  designBounds,
  type FinderShape,
  finderShapes,
  type LogoPatch,
  logoPatches,
  type ModuleShape,
  maxLogoBytes,
  moduleShapes,
} from '../../core/designs/design.ts';
import { Choice, ColorField, Problem, Slider } from '../ui/controls.tsx';
import { Form, Notice } from '../ui/parts.tsx';
import type { RefusedColors } from './design-form.ts';
import { Preview, type PreviewProps } from './preview.tsx';

interface DesignProps extends PreviewProps {
  readonly design: Design;
  readonly typed: RefusedColors;
  readonly done: string | null;
}

const moduleNames: Record<ModuleShape, string> = {
  square: 'Square',
  rounded: 'Rounded',
  dots: 'Dots',
};
const finderNames: Record<FinderShape, string> = {
  square: 'Square',
  rounded: 'Rounded',
  circle: 'Round',
};
const patchNames: Record<LogoPatch, string> = { none: 'None', square: 'Square', circle: 'Circle' };

export function DesignPage({ design, typed, done, ...preview }: DesignProps) {
  const { kept, problems } = preview;
  return (
    <>
      <h1>Design</h1>
      <p class="lead">
        How your next codes look. Codes that exist keep the look they were created with, so nothing
        that is printed ever changes.
      </p>
      {done !== null && <Notice kind="good" title={done} />}
      <div class="design-page">
        <Form
          to="/account/design"
          id="design"
          class="card stack"
          enctype="multipart/form-data"
          data-preview="preview"
          // A browser that goes back would fill a part of the fields in, beside the picture of others.
          autocomplete="off"
        >
          {/* Enter in a field does what the first button of a form does; it is there for nothing else. */}
          <button
            type="submit"
            name="do"
            value="preview"
            class="hidden"
            tabIndex={-1}
            aria-hidden="true"
          >
            Show
          </button>
          <LogoFields design={design} problem={problems.logo} />
          <h2>Colours</h2>
          <ColorField
            id="foreground"
            label="Foreground"
            value={design.foreground}
            typed={typed.foreground}
            problem={problems.foreground}
          />
          <ColorField
            id="background"
            label="Background"
            value={design.background}
            typed={typed.background}
            problem={problems.background}
          />
          <ColorField
            id="finder_color"
            label="Corner colour"
            value={design.finderColor ?? ''}
            typed={typed.finder_color}
            placeholder="as foreground"
            follows="foreground"
            problem={problems.finder_color}
          />
          <h2>Shapes</h2>
          <Choice
            name="module_shape"
            label="Modules"
            values={moduleShapes}
            names={moduleNames}
            value={design.moduleShape}
          />
          <Choice
            name="finder_shape"
            label="Corner shape"
            values={finderShapes}
            names={finderNames}
            value={design.finderShape}
          />
          <Slider
            id="quiet_zone"
            label="Margin"
            unit="modules"
            bounds={designBounds.quietZoneModules}
            value={design.quietZoneModules}
          />
          <div class="row actions">
            <button type="submit" name="do" value="save">
              Save the design
            </button>
            <button type="submit" name="do" value="preview" class="quiet" data-only-without-script>
              Show without saving
            </button>
            <p class="hint unsaved" hidden={kept}>
              Not saved yet
            </p>
          </div>
        </Form>
        <p class="hidden" role="status" id="preview-status" />
        <div id="preview" class="preview-place" tabIndex={-1}>
          <Preview {...preview} />
        </div>
      </div>
    </>
  );
}

function LogoFields({ design, problem }: { design: Design; problem: string | undefined }) {
  return (
    <>
      <h2>Logo</h2>
      <div class="field drop" data-drop>
        <label for="logo">Upload a logo</label>
        <p class="hint" id="logo-hint">
          PNG, JPEG, WebP or SVG, up to {maxLogoBytes / 1_000_000} MB. You can drop it here.
        </p>
        <input
          id="logo"
          name="logo"
          type="file"
          accept=".png,.jpg,.jpeg,.webp,.svg,image/png,image/jpeg,image/webp,image/svg+xml"
          aria-describedby="logo-hint logo-problem"
          aria-invalid={problem === undefined ? undefined : 'true'}
        />
        <Problem of="logo" text={problem} />
      </div>
      <label class="check">
        <input type="checkbox" name="no_logo" value="yes" checked={design.logo === null} />
        Without a logo
      </label>
      <Slider
        id="logo_size"
        label="Size"
        unit="%"
        bounds={designBounds.logoSizePercent}
        value={design.logoSizePercent}
      />
      <Choice
        name="logo_patch"
        label="Cleared behind it"
        values={logoPatches}
        names={patchNames}
        value={design.logoPatch}
      />
    </>
  );
}
