/**
 * What of SVG a logo may use. Everything else is either dropped, because it paints nothing, or refused
 * by name, because the logo would look different without it.
 */

/** Elements that are painted, or that painted ones refer to. */
export const allowedElements = new Set(
  words(`svg g defs symbol use switch path rect circle ellipse line polyline polygon
    linearGradient radialGradient stop clipPath mask
    filter feBlend feColorMatrix feComponentTransfer feComposite feDropShadow feFlood feFuncA feFuncB
    feFuncG feFuncR feGaussianBlur feMerge feMergeNode feOffset`),
);

/** Elements that paint nothing by themselves; they go, with all that is in them. */
export const droppedElements = new Set(words('metadata title desc marker view'));

/** Elements that people do meet, each with the way out. */
export const refusedElements: Record<string, string> = {
  text: 'text, which needs a font that is not part of the file. Convert text to paths (outlines) and export again',
  image:
    'an embedded picture. Export the logo as PNG, or trace the picture so that it consists of paths',
  pattern: 'a pattern fill. Expand the pattern to paths, or export the logo as PNG',
  foreignObject: 'a foreign object (HTML). Export the logo as plain SVG, or as PNG',
  script: 'a script. Remove it; a logo only needs paths',
  a: 'a link. Remove it and keep what is inside',
};

/** Animation: a printed code does not move. */
export const animationElements = new Set(
  words('animate animateColor animateMotion animateTransform set discard mpath'),
);

/** Attributes that are no style. `href` is treated apart. */
export const allowedAttributes = new Set(
  words(`id class d points x y x1 y1 x2 y2 cx cy r rx ry fx fy fr width height viewBox
    preserveAspectRatio transform gradientTransform gradientUnits spreadMethod offset clipPathUnits
    maskUnits maskContentUnits filterUnits primitiveUnits in in2 result stdDeviation dx dy type values
    mode operator k1 k2 k3 k4 edgeMode tableValues slope intercept amplitude exponent`),
);

/** Style properties, wherever they stand: as attribute, in `style`, or in a style sheet. */
export const allowedProperties = new Set(
  words(`fill fill-opacity fill-rule stroke stroke-width stroke-opacity stroke-linecap
    stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset opacity color display visibility
    clip-path clip-rule mask mask-type filter stop-color stop-opacity flood-color flood-opacity
    mix-blend-mode isolation paint-order overflow color-interpolation color-interpolation-filters
    shape-rendering`),
);

/** Of these, the ones that are no attributes, neither for a browser nor for the rasterizer. */
export const styleOnly = new Set(
  words('mix-blend-mode isolation background background-color background-image'),
);

/**
 * What moves or redraws a shape in some places only, see `svg-weighed.ts`. None of it is handed on; those
 * that are the names of attributes too are meant as style properties.
 */
export const weighedProperties = new Set(
  words(`transform transform-origin transform-box vector-effect pathLength background background-color
    background-image x y cx cy r rx ry width height d`),
);

/** Attributes by which a browser decides whether it draws a part at all. */
export const conditions = new Set(words('systemLanguage requiredExtensions'));

/** Properties that move or redraw a shape: dropping them would show another logo. */
export const refusedProperties = new Set(
  words(`transform translate rotate scale animation animation-name offset-path marker marker-start
    marker-mid marker-end`),
);

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
