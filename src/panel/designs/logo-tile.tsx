/** @jsxImportSource preact */
import { type Logo, maxLogoBytes } from '../../core/designs/design.ts';
import { labelled } from '../ui/fields.tsx';
import type { Field } from '../ui/form.tsx';

/** A tile that shows the logo and takes another file, also one that is dropped on it. */
export function logoField(
  parse: (bytes: Uint8Array | null) => Promise<Logo> | null,
  logo: Logo | null,
): Field<Logo | null> {
  const label = 'Upload a logo';
  return {
    read: async (typed, name) => parse(await typed.file(name)),
    draw: (drawn) =>
      labelled({ label, isLabelHidden: true, isLive: true }, drawn, (attributes) => (
        <div class="file" data-file>
          <div class="row grow" id="logo-shown">
            <ShownLogo logo={logo} />
          </div>
          {/* It covers the tile, so that browsers take dropped files by themselves. */}
          <input
            {...attributes}
            type="file"
            accept=".png,.jpg,.jpeg,.webp,.svg,.svgz,image/png,image/jpeg,image/webp,image/svg+xml"
          />
        </div>
      )),
  };
}

/** The logo of a design with its size, or what the tile takes. */
function ShownLogo({ logo }: { logo: Logo | null }) {
  const limits = `PNG, JPEG, WebP or SVG, up to ${maxLogoBytes / 1_000_000} MB`;
  const source = logo && `data:image/png;base64,${Buffer.from(logo.png).toString('base64')}`;
  return (
    <>
      {source && <img class="thumb" src={source} alt="Your logo" width={64} height={64} />}
      <div class="grow">
        <b>{logo === null ? 'Drop a logo here' : 'Your logo'}</b>
        <div class="small soft">
          {logo === null ? (
            limits
          ) : (
            <>
              {logo.widthPx} × {logo.heightPx} px
              <span class="compact-hide">. Or drop another file here: {limits}.</span>
            </>
          )}
        </div>
      </div>
      <span class="button small" aria-hidden="true">
        {logo === null ? 'Choose a file' : 'Replace'}
      </span>
    </>
  );
}
