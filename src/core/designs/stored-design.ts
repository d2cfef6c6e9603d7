import type { Design, Logo } from './design.ts';

/** A design in JSON, without the logo's PNG, which is stored beside it. */
export type DesignSettings = Omit<Design, 'logo'> & { readonly logo: Omit<Logo, 'png'> | null };

/** A design as databases store it. */
export interface StoredDesign {
  readonly settings: DesignSettings;
  readonly logoPng: Uint8Array | null;
}

/** Converts a design to its stored form, without a logo placement, which belongs to a code. */
export function toStoredDesign({ logo, logoPlacement: _, ...settings }: Design): StoredDesign {
  return {
    settings: { ...settings, logo: logo && { widthPx: logo.widthPx, heightPx: logo.heightPx } },
    logoPng: logo?.png ?? null,
  };
}

/** Reverts {@link toStoredDesign}. */
export function fromStoredDesign({ settings, logoPng }: StoredDesign): Design {
  const { logo } = settings;
  return { ...settings, logo: logo && logoPng && { ...logo, png: new Uint8Array(logoPng) } };
}
