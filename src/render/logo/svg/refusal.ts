import { InvalidLogo } from '../../../core/errors.ts';

/** Drawing programs by what they leave in their files. A file that several have saved names the first. */
const programs = {
  Inkscape: /inkscape/i,
  Illustrator: /Adobe[ _]Illustrator|ns\.adobe\.com/,
  CorelDRAW: /CorelDRAW|corel\.com/i,
  Affinity: /serif\.com|Affinity/,
  Sketch: /bohemiancoding|Created with Sketch/i,
  // Figma names itself nowhere.
  Figma:
    /figma|color\(display-p3|\bid="(?:paint|filter|clip|mask|image|pattern)\d+_|<svg width="\d+" height="\d+" viewBox="[^"]*" fill="none" xmlns/i,
} as const;

/** What to do in a program. */
type Steps = Partial<Readonly<Record<keyof typeof programs, string>>>;

interface Refusal {
  /** After "This SVG". */
  readonly problem: string;
  readonly remedy: string;
  /** PNG export where a program has nothing better. */
  readonly steps?: Steps;
}

const pngExport = {
  Inkscape: 'File → Export → PNG',
  Illustrator: 'File → Export → Export As → PNG',
  CorelDRAW: 'File → Export → PNG',
  Affinity: 'File → Export → PNG',
  Sketch: 'Export → PNG',
  Figma: 'Export → PNG',
} as const satisfies Steps;

const refusals = {
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
} as const satisfies Readonly<Record<string, Refusal>>;

/** A reason not to accept an SVG, thrown while it is read. `detail` names the place, such as a value. */
export class SvgRefused extends Error {
  constructor(
    readonly kind: keyof typeof refusals,
    readonly detail = '',
  ) {
    super(kind);
  }
}

/** Returns the error for the person who uploaded the file: problem, cause, and what to do where it was made. */
export function toInvalidLogo({ kind, detail }: SvgRefused, source: string): InvalidLogo {
  const { problem, remedy, steps }: Refusal = refusals[kind];
  const cause = detail === '' ? '' : ` (${shorten(detail)})`;
  return new InvalidLogo(`This SVG ${problem}${cause}. ${remedy}${stepFor(source, steps)}`);
}

/** Returns what to do in the program that made a file, as a sentence, or '' for others. */
export function stepFor(source: string, steps: Steps = {}): string {
  const stepIn: Readonly<Record<string, string>> = { ...pngExport, ...steps };
  const [program] = Object.entries(programs).find(([, mark]) => mark.test(source)) ?? [];
  return program === undefined ? '' : ` In ${program}: ${stepIn[program]}.`;
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
