/** @jsxImportSource preact */
import type { VNode } from 'preact';
import type {
  CaptionPlace,
  FinderShape,
  LogoPatch,
  ModuleShape,
} from '../../core/designs/design.ts';

/** Where modules are dark in the drawings: columns and rows of four. */
const dark = ['1101', '1011', '0110', '1001'].flatMap((row, y) =>
  [...row].flatMap((cell, x) => (cell === '1' ? [{ x, y }] : [])),
);

const squares = (side: number) =>
  dark.map(({ x, y }) => `M${4 + 9 * x} ${4 + 9 * y}h${side}v${side}h-${side}z`).join('');

/** Drawings of the choices, in boxes of 44 by 44. */
export const moduleShapePictures: Readonly<Record<ModuleShape, VNode>> = {
  square: <path d={squares(9)} />,
  rounded: (
    <>
      <path d="M8.5 4h9a4.5 4.5 0 0 1 0 9H13v4.5a4.5 4.5 0 0 1-9 0v-9A4.5 4.5 0 0 1 8.5 4zM26.5 13h9a4.5 4.5 0 0 1 0 9H31v4.5a4.5 4.5 0 0 1-4.5 4.5h-9a4.5 4.5 0 0 1 0-9H22v-4.5a4.5 4.5 0 0 1 4.5-4.5zM8.5 31a4.5 4.5 0 0 1 0 9 4.5 4.5 0 0 1 0-9z" />
      <circle cx="35.5" cy="8.5" r="4.5" />
      <circle cx="35.5" cy="35.5" r="4.5" />
    </>
  ),
  dots: (
    <>
      {dark.map(({ x, y }) => (
        <circle key={`${x} ${y}`} cx={8.5 + 9 * x} cy={8.5 + 9 * y} r="3.8" />
      ))}
    </>
  ),
};

export const finderShapePictures: Readonly<Record<FinderShape, VNode>> = {
  square: <path fill-rule="evenodd" d="M6 6h32v32H6zm5 5v22h22V11zm6 6h10v10H17z" />,
  rounded: (
    <path
      fill-rule="evenodd"
      d="M14 6h16a8 8 0 0 1 8 8v16a8 8 0 0 1-8 8H14a8 8 0 0 1-8-8V14a8 8 0 0 1 8-8zm1 5a4 4 0 0 0-4 4v14a4 4 0 0 0 4 4h14a4 4 0 0 0 4-4V15a4 4 0 0 0-4-4zm4 6h6a2 2 0 0 1 2 2v6a2 2 0 0 1-2 2h-6a2 2 0 0 1-2-2v-6a2 2 0 0 1 2-2z"
    />
  ),
  circle: (
    <path
      fill-rule="evenodd"
      d="M22 6a16 16 0 1 1 0 32 16 16 0 0 1 0-32zm0 5a11 11 0 1 0 0 22 11 11 0 0 0 0-22zm0 6a5 5 0 1 1 0 10 5 5 0 0 1 0-10z"
    />
  ),
};

/** Places of a caption: a code, and a bar of text. */
export const captionPlacePictures: Readonly<Record<CaptionPlace, VNode>> = {
  below: <path fill-rule="evenodd" d="M11 5h22v22H11zm4 4v14h14V9zM10 33h24v5H10z" />,
  above: <path fill-rule="evenodd" d="M11 17h22v22H11zm4 4v14h14V21zM10 6h24v5H10z" />,
};

/** Draws a logo, the space behind it, and squares around it. */
const withLogo = (space?: VNode) => (
  <>
    <path opacity=".45" d={squares(7)} />
    {space}
    <circle cx="22" cy="22" r="9" />
  </>
);

export const logoPatchPictures: Readonly<Record<LogoPatch, VNode>> = {
  none: withLogo(),
  square: withLogo(<path class="space" d="M9 9h26v26H9z" />),
  circle: withLogo(<circle class="space" cx="22" cy="22" r="14" />),
};
