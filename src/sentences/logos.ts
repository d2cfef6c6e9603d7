import type {
  DrawingProgram,
  LogoReason,
  SvgDetail,
  SvgProblem,
  UnconvertedColors,
  UndrawnFormat,
} from '../core/designs/logo-reasons.ts';
import { type Sentences, sentenceOf } from '../core/reasons.ts';
import { formatNumber } from '../lib/numbers.ts';

/** What to do in a program. */
type Steps = Partial<Readonly<Record<DrawingProgram, string>>>;

interface Refusal {
  /** After "This SVG". */
  readonly problem: string;
  readonly remedy: string;
  /** PNG export where a program has nothing better. */
  readonly steps?: Steps;
}

const pngExport: Readonly<Record<DrawingProgram, string>> = {
  Inkscape: 'File → Export → PNG',
  Illustrator: 'File → Export → Export As → PNG',
  CorelDRAW: 'File → Export → PNG',
  Affinity: 'File → Export → PNG',
  Sketch: 'Export → PNG',
  Figma: 'Export → PNG',
};

const refusals: Readonly<Record<SvgProblem, Refusal>> = {
  text: {
    problem: 'contains text, and the server has no fonts',
    remedy: 'Convert text to paths (outlines) and export it again.',
    steps: {
      Inkscape: 'Path → Object to Path',
      Illustrator: 'Type → Create Outlines',
      CorelDRAW: 'Object → Convert to Curves',
      Affinity: 'Layer → Convert to Curves',
      Sketch: 'Layer → Convert to Outlines',
      Figma: 'select the text, then Flatten; or export with “Outline text”',
    },
  },
  color: {
    problem: 'contains a colour that has no value in sRGB',
    remedy: 'Export it with sRGB colours.',
    steps: {
      Inkscape: 'Object → Fill and Stroke → RGB, for each such colour',
      Illustrator: 'File → Document Color Mode → RGB Color',
      CorelDRAW: 'export with colour mode RGB',
      Affinity: 'File → Document Setup → Color → RGB, sRGB',
      Sketch: 'File → Document Settings → Color Profile → sRGB',
      Figma: 'export with sRGB',
    },
  },
  variable: {
    problem: 'contains a CSS variable that its root element does not define',
    remedy: 'Write its value instead, or define it there.',
  },
  script: {
    problem: 'contains a script',
    remedy: 'Remove it.',
    steps: { Inkscape: 'File → Save As → Plain SVG' },
  },
  html: {
    problem: 'contains HTML (<foreignObject>)',
    remedy: 'Export it as plain SVG, or as PNG.',
    steps: { Figma: 'remove background blurs and angular gradients, or Export → PNG' },
  },
  external: {
    problem: 'contains a reference to something outside the file',
    remedy: 'Embed it, or export the logo as PNG.',
    steps: {
      Inkscape: 'Extensions → Images → Embed Images',
      Illustrator: 'Window → Links → Embed Image(s)',
      CorelDRAW: 'Object → Break Link, for each linked picture',
      Affinity: 'Window → Resource Manager → Embed',
    },
  },
  image: {
    problem: 'contains an embedded picture that cannot be read',
    remedy: 'Embed it as PNG or JPEG of at most 4,096 × 4,096 pixels, or export the logo as PNG.',
  },
  profile: {
    problem: "contains an embedded picture with colours that can't be converted",
    remedy: 'Embed it with sRGB colours, or export the logo as PNG with sRGB colours.',
    steps: { Illustrator: 'Edit → Assign Profile → sRGB, then embed the picture again' },
  },
  filter: {
    problem: 'contains a filter effect that is not drawn',
    remedy: 'Flatten the effect, or export the logo as PNG.',
    steps: {
      Inkscape: 'Edit → Make a Bitmap Copy, for the objects with the filter',
      Illustrator: 'Object → Rasterize, for the objects with the effect',
      CorelDRAW: 'Bitmaps → Convert to Bitmap, for the objects with the effect',
      Affinity: 'Layer → Rasterize, for the layers with the effect',
    },
  },
  feature: {
    problem: 'contains something that is not drawn',
    remedy: 'Convert it to plain paths, or export the logo as PNG.',
    steps: {
      Inkscape: 'Path → Stroke to Path or Object to Path; else File → Export → PNG',
      Illustrator: 'Object → Expand; else File → Export → Export As → PNG',
      CorelDRAW: 'Object → Convert to Curves; else File → Export → PNG',
      Affinity: 'Layer → Convert to Curves; else File → Export → PNG',
      Sketch: 'Layer → Convert to Outlines; else Export → PNG',
      Figma: 'Flatten or Outline stroke; else Export → PNG',
    },
  },
  animation: {
    problem: 'contains a part that only its animation shows',
    remedy: 'Export a still picture.',
  },
  sizes: {
    problem: 'looks different at different sizes',
    remedy: 'Remove these styles, or export the logo as PNG.',
  },
  stylesheet: {
    problem: 'contains a link to a style sheet',
    remedy: 'Embed the styles.',
    steps: { Illustrator: 'File → Export → Export As → SVG, Styling: Presentation Attributes' },
  },
  doctype: {
    problem: 'contains a document type (DOCTYPE) that is not a standard one',
    remedy: 'Remove it.',
    steps: {
      Inkscape: 'File → Save As → Plain SVG',
      Illustrator: 'File → Export → Export As → SVG',
    },
  },
  size: {
    problem: 'has more than 5000 elements',
    remedy: 'Simplify it, or export it as PNG.',
    steps: {
      Inkscape: 'Path → Combine or Path → Simplify',
      Illustrator: 'Object → Path → Simplify',
    },
  },
  xml: {
    problem: 'is not well-formed XML',
    remedy: 'Export it again from your drawing program.',
    steps: { Inkscape: 'File → Save As → Plain SVG' },
  },
  encoding: {
    problem: 'is not UTF-8 text and declares no other encoding',
    remedy: 'Export it again as UTF-8.',
    steps: {
      Inkscape: 'File → Save As → Plain SVG',
      CorelDRAW: 'export with encoding Unicode (UTF-8)',
    },
  },
  otherXml: {
    problem: 'is XML, but not an SVG picture',
    remedy: 'Export the logo as SVG or PNG.',
  },
  undrawable: {
    problem: "can't be drawn",
    remedy: 'Check that it has a width, a height and the SVG namespace, or export it as PNG.',
  },
};

/** Returns what to do in the program that made a file, as a sentence, or '' for others. */
function stepIn(program: DrawingProgram | null, steps: Steps = {}): string {
  return program === null ? '' : ` In ${program}: ${steps[program] ?? pngExport[program]}.`;
}

const formats: Readonly<Record<UndrawnFormat, string>> = {
  AVIF: 'an AVIF',
  BMP: 'a BMP',
  EPS: 'an EPS',
  GIF: 'a GIF',
  HEIC: 'a HEIC',
  ICO: 'an ICO',
  'JPEG 2000': 'a JPEG 2000',
  'JPEG XL': 'a JPEG XL',
  PDF: 'a PDF',
  Photoshop: 'a Photoshop file',
  'PNG for iOS': 'a PNG of an iOS app (CgBI)',
  TIFF: 'a TIFF',
};

function colorsText(colors: UnconvertedColors): string {
  if (colors.kind === 'profile') {
    const name = colors.name === '' ? 'without a name' : `“${colors.name}”`;
    return `the colour profile ${name} (${colors.samples})`;
  }
  const kind = colors.kind === 'HDR' ? 'HDR colours' : 'colours of a kind for video';
  return `${kind} (cICP ${colors.codes})`;
}

const details: Sentences<SvgDetail> = {
  written: ({ text }) => text,
  attribute: ({ name }) => `the attribute “${name}”`,
  length: ({ text }) => `the length ${text}`,
  'property of a transform': ({ text }) => `the CSS property scale, rotate or translate: ${text}`,
  'transform of an element': ({ element }) => `a transform of <${element}>`,
  'tiny scale': ({ element }) => `<${element}> of a tiny scale`,
  'linear colours': ({ element }) => `<${element}> with color-interpolation: linearRGB`,
  'nested rule': ({ selector }) => `a nested rule in ${selector}`.trim(),
  'focal radius': () => 'a gradient with the attribute “fr”',
  'marker reference in words': () => 'a marker with a reference point in words',
  'marker on a curve': () => 'a marker on an arc, or on a closed or empty line',
  'reversed marker': () => 'a marker that is reversed at the start',
  'dashes with pathLength': () => 'dashes with pathLength',
  'symbol with a position': () => 'a symbol with a position',
  'rotated shadow': () => 'a shadow or offset in a rotated or mirrored object',
  effects: ({ count }) => `${formatNumber(count)} effects`,
  'SVG in SVG': () => 'SVG in SVG',
  'picture too large': () => 'too large',
  'picture incomplete': () => 'incomplete',
  format: ({ format }) => formats[format],
  colours: ({ colors }) => colorsText(colors),
};

/** Why a file cannot be the logo of a design: problem, cause, and what to do where it was made. */
export const logoSentences: Sentences<LogoReason> = {
  'logo file empty': () => 'The file is empty. Upload the logo as PNG, JPEG, WebP or SVG.',
  'logo file too large': ({ bytes, maxBytes }) =>
    `The file has ${formatNumber(bytes)} bytes; a logo may have ${formatNumber(maxBytes)}. Reduce it to 512 × 512 pixels, or export it as SVG.`,
  'logo takes too long': ({ program }) =>
    `The picture takes too long to draw. Upload a simpler one, or a PNG.${stepIn(program)}`,
  'compressed logo damaged': () =>
    'The file is compressed and too large or damaged. Save the logo as SVG without compression, or as PNG.',
  'logo too long': ({ maxAspectRatio }) =>
    `The logo is more than ${maxAspectRatio} times as long as it is wide. Crop it to a more compact shape.`,
  'logo transparent': () =>
    'The logo is fully transparent. Check that the right layers were exported.',
  'logo too small': ({ widthPx, heightPx, minSidePx }) =>
    `The logo is only ${widthPx} × ${heightPx} pixels. Upload one of at least ${minSidePx} pixels a side; 256 or more look good.`,
  'logo of another format': ({ format }) =>
    `The file is ${formats[format]}. Upload the logo as PNG, JPEG, WebP or SVG.`,
  'logo of other colours': ({ colors }) =>
    `The picture has ${colorsText(colors)}, which can't be converted. Save it with sRGB colours and upload the new file. In Photoshop: Edit → Convert to Profile → sRGB.`,
  'logo of too many pixels': () =>
    'The logo is too large. Reduce it to at most 4,096 × 4,096 pixels; 512 × 512 are enough.',
  'logo is no picture': () =>
    'The file is not a picture that can be read. Upload the logo as PNG, JPEG, WebP or SVG.',
  'logo damaged': () =>
    'The picture is damaged, incomplete or animated. Save the logo again as a still picture and upload the new file.',
  'SVG refused': ({ problem: name, detail, program }) => {
    const { problem, remedy, steps } = refusals[name];
    const place = detail === null ? '' : ` (${sentenceOf(details, detail)})`;
    return `This SVG ${problem}${place}. ${remedy}${stepIn(program, steps)}`;
  },
};
