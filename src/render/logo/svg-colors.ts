/**
 * The colours that the rasterizer paints. It takes the ones of CSS Color 3 and hexadecimal ones with
 * opacity; whatever else a browser knows, it paints black.
 */

const names = new Set(
  `aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown
  burlywood cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan
  darkgoldenrod darkgray darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid
  darkred darksalmon darkseagreen darkslateblue darkslategray darkslategrey darkturquoise darkviolet
  deeppink deepskyblue dimgray dimgrey dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro
  ghostwhite gold goldenrod gray green greenyellow grey honeydew hotpink indianred indigo ivory khaki
  lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow
  lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray
  lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine
  mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise
  mediumvioletred midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab
  orange orangered orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru
  pink plum powderblue purple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell
  sienna silver skyblue slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato
  transparent turquoise violet wheat white whitesmoke yellow yellowgreen`.split(/\s+/),
);

const hexadecimal = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i;
const whole = /^[-+]?\d{1,6}$/;
const percentage = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)%$/;
const opacity = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i;

/** What `rgb()` and `hsl()` take, without opacity. */
const components: Record<string, readonly (readonly RegExp[])[]> = {
  rgb: [
    [whole, whole, whole],
    [percentage, percentage, percentage],
  ],
  hsl: [[whole, percentage, percentage]],
};

/** Whether the rasterizer paints this colour as a browser does. */
export function isColor(text: string): boolean {
  if (hexadecimal.test(text) || names.has(text.toLowerCase())) return true;
  const call = /^(rgb|hsl)a?\(([^()]*)\)$/i.exec(text);
  const known = components[call?.[1]?.toLowerCase() ?? ''] ?? [];
  const given = (call?.[2] ?? '').trim();
  const commas = given.includes(',');
  const parts = commas ? given.split(',').map((part) => part.trim()) : given.split(/\s+/);
  if (commas && parts.length === 4 && !opacity.test(parts.pop() ?? '')) return false;
  return known.some(
    (kinds) =>
      kinds.length === parts.length && kinds.every((kind, index) => kind.test(parts[index] ?? '')),
  );
}
