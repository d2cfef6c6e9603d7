import type { DesignChanges } from './design.ts';

/**
 * What the properties of a design are called outside: in the forms of the panel, and in what commands print
 * for machines. With hyphens for underscores they are the flags of `design set`.
 */
const names: Readonly<Record<keyof DesignChanges, string>> = {
  foreground: 'foreground',
  background: 'background',
  moduleShape: 'module_shape',
  finderShape: 'finder_shape',
  finderColor: 'finder_color',
  logoSizePercent: 'logo_size',
  logoPatch: 'logo_patch',
  quietZoneModules: 'quiet_zone',
};

/** Properties of a design by their names outside. What else there is of a design is left out. */
export function toPropertyNames(
  changes: DesignChanges,
): Record<string, DesignChanges[keyof DesignChanges]> {
  // The keys of the table are those of its type.
  const keys = Object.keys(names) as (keyof DesignChanges)[];
  return Object.fromEntries(
    keys.filter((key) => key in changes).map((key) => [names[key], changes[key]]),
  );
}
