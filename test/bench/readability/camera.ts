import type { Chance } from './chance.ts';
import { blurred } from './optics.ts';
import type { LinearPicture, LumaPicture } from './picture.ts';
import type { Shot } from './scenes.ts';
import { exposed } from './sensor.ts';

/** A printed code with its quiet zone. */
export interface Print {
  readonly picture: LinearPicture;
  /** Modules across, quiet zone included. */
  readonly modulesAcross: number;
}

/** Distance of the phone in widths of the print: a hand's scan fills about half of the frame. */
const cameraDistance = 2.2;

/**
 * Photographs a print on its page with a pinhole camera, a blurring lens, uneven light and a noisy sensor,
 * and returns luma.
 */
export function photograph(print: Print, shot: Shot, chance: Chance): LumaPicture {
  const project = projection(shot);
  const corners = [
    [-0.5, -0.5],
    [0.5, -0.5],
    [0.5, 0.5],
    [-0.5, 0.5],
  ].map(([x = 0, y = 0]) => project.toFrame(x, y));
  const reach = Math.max(...corners.map(([x, y]) => Math.max(Math.abs(x), Math.abs(y))));
  const pxPerWidth = shot.pxPerModule * print.modulesAcross;
  // The page fills a tenth to a third of the frame, and the print is slightly off center.
  const sidePx = Math.ceil(2 * reach * pxPerWidth * chance.between(1.12, 1.4));
  const slack = (sidePx - 2 * reach * pxPerWidth) * 0.4;
  const centerX = sidePx / 2 + chance.between(-0.5, 0.5) * slack;
  const centerY = sidePx / 2 + chance.between(-0.5, 0.5) * slack;

  const scene = seen(print.picture, project.toPrint, sidePx, {
    step: 1 / pxPerWidth,
    left: -centerX / pxPerWidth,
    top: -centerY / pxPerWidth,
    page: shot.page,
  });
  return exposed(blurred(scene, shot.blurModules * shot.pxPerModule), shot, chance);
}

/** Position of the frame in the plane of the print, in widths of the print. */
interface Frame {
  /** Width of a pixel. */
  readonly step: number;
  readonly left: number;
  readonly top: number;
  readonly page: number;
}

/**
 * Computes the light on each pixel as the mean of four points. The nearest pixel of the print suffices,
 * because the print is finer than any shot and the lens blurs afterwards.
 */
function seen(print: LinearPicture, toPrint: Matrix, sidePx: number, frame: Frame): LinearPicture {
  const rgb = new Float32Array(sidePx * sidePx * 3);
  const [a, b, c, d, e, f, g, h, i] = toPrint;
  const { widthPx, heightPx, rgb: source } = print;
  const quarter = frame.page / 4;
  for (let row = 0; row < sidePx * 2; row++) {
    const v = frame.top + (row / 2 + 0.25) * frame.step;
    for (let column = 0; column < sidePx * 2; column++) {
      const u = frame.left + (column / 2 + 0.25) * frame.step;
      const w = g * u + h * v + i;
      const x = Math.floor(((a * u + b * v + c) / w + 0.5) * widthPx);
      const y = Math.floor(((d * u + e * v + f) / w + 0.5) * heightPx);
      const onPrint = x >= 0 && y >= 0 && x < widthPx && y < heightPx;
      const from = (y * widthPx + x) * 3;
      const at = ((row >> 1) * sidePx + (column >> 1)) * 3;
      for (let channel = 0; channel < 3; channel++) {
        const light = onPrint ? (source[from + channel] ?? 0) / 4 : quarter;
        rgb[at + channel] = (rgb[at + channel] ?? 0) + light;
      }
    }
  }
  return { widthPx: sidePx, heightPx: sidePx, rgb };
}

interface Projection {
  /** From the print's plane (its width is 1, its middle the origin) to the frame, in the same unit. */
  toFrame(x: number, y: number): readonly [number, number];
  /** The inverse, as a homography in row order. */
  readonly toPrint: Matrix;
}

/** Roll in the plane of the print, then pitch and yaw of that plane before a pinhole. */
function projection(shot: Shot): Projection {
  const radians = Math.PI / 180;
  const [cr, sr] = [Math.cos(shot.rollDegrees * radians), Math.sin(shot.rollDegrees * radians)];
  const [cp, sp] = [Math.cos(shot.pitchDegrees * radians), Math.sin(shot.pitchDegrees * radians)];
  const [cy, sy] = [Math.cos(shot.yawDegrees * radians), Math.sin(shot.yawDegrees * radians)];
  // Columns: where the print's x and y axes point in the camera's space.
  const axisX = [cy * cr + sy * sp * sr, cp * sr, -sy * cr + cy * sp * sr] as const;
  const axisY = [-cy * sr + sy * sp * cr, cp * cr, sy * sr + cy * sp * cr] as const;
  const d = cameraDistance;
  const forward = [
    axisX[0] * d, axisY[0] * d, 0,
    axisX[1] * d, axisY[1] * d, 0,
    axisX[2], axisY[2], d,
  ] as const; // biome-ignore format: a matrix reads in rows
  return {
    toFrame: (x, y) => {
      const w = forward[6] * x + forward[7] * y + forward[8];
      return [(forward[0] * x + forward[1] * y) / w, (forward[3] * x + forward[4] * y) / w];
    },
    toPrint: adjugate(forward),
  };
}

type Matrix = readonly [
  number, number, number,
  number, number, number,
  number, number, number,
]; // biome-ignore format: a matrix reads in rows

/** The inverse of a homography up to scale, which is all a homography needs. */
function adjugate([a, b, c, d, e, f, g, h, i]: Matrix): Matrix {
  return [
    e * i - f * h, c * h - b * i, b * f - c * e,
    f * g - d * i, a * i - c * g, c * d - a * f,
    d * h - e * g, b * g - a * h, a * e - b * d,
  ]; // biome-ignore format: a matrix reads in rows
}
