import { Resvg } from '@resvg/resvg-js';
import jsQR from 'jsqr';
import qrcode from 'qrcode-generator';
import { plainDesign } from '../../src/core/designs/design.ts';
import { fillsOf } from '../../src/render/path/shapes.ts';
import { svgOf } from '../../src/render/path/svg.ts';
import { layoutOf } from '../../src/render/symbol/layout.ts';
import { startServer } from '../support/server.ts';
import { measure, median, printTable, waitUntilIdle } from './measure.ts';
import { targetOf } from './servers.ts';

/**
 * Measures the CPU time of a create over HTTP, readability check and write to disk included, compared with
 * a naive pipeline that only draws and reads back: qrcode-generator, resvg at 512 pixels, jsQR.
 */
export async function benchCreates(rounds = 5): Promise<void> {
  const server = await startServer();
  const { key } = await server.account('bench@example.com');
  const target = targetOf('create', server, [createRequest(key)]);
  await measure(target, { connections: 8, seconds: 1 });
  await waitUntilIdle(server.pid());
  await naiveMs(20);
  const [ours, naive, rates]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    const { cpuMicros, perSecond } = await measure(target, { connections: 8, seconds: 2 });
    ours.push(cpuMicros / 1000);
    rates.push(perSecond);
    naive.push(await naiveMs(60));
  }
  const ratios = ours.map((ms, round) => ms / (naive[round] ?? Number.NaN));
  const figures = [median(ours), median(naive), median(ratios)].map((value) => value.toFixed(2));
  printTable(
    ['create', 'CPU ms', 'naive pipeline, CPU ms', 'of naive', 'creates per second'],
    [['plain design, over HTTP', ...figures, median(rates).toFixed(0)]],
  );
  await server.close();
}

/** Returns a whole HTTP request that creates a code. */
export function createRequest(key: string): string {
  const body = '{"url":"https://example.com/menu"}';
  return `POST /api/v1/qrs HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

async function naiveMs(times: number): Promise<number> {
  const before = process.cpuUsage();
  for (let time = 0; time < times; time++) {
    const link = `https://go.example.com/${String(time).padStart(8, 'k')}`;
    const image = new Resvg(naiveSvg(link), {
      fitTo: { mode: 'width', value: 512 },
      font: { loadSystemFonts: false },
    }).render();
    if (jsQR(new Uint8ClampedArray(image.pixels), 512, 512)?.data !== link) {
      throw new Error('the naive pipeline did not read its own code');
    }
    // The native rasterizer frees its pixels between event-loop ticks.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / times;
}

/** Draws a plain symbol as qrcode-generator makes it by itself. */
function naiveSvg(link: string): string {
  const symbol = qrcode(0, 'H');
  symbol.addData(link);
  symbol.make();
  const side = symbol.getModuleCount();
  const isInside = (place: number) => place >= 0 && place < side;
  const isDark = (x: number, y: number) => isInside(x) && isInside(y) && symbol.isDark(y, x);
  const design = plainDesign;
  const [matrix, layout] = [{ side, isDark }, layoutOf(side, design)];
  return svgOf({ design, matrix, layout, fills: fillsOf(matrix, layout, design) });
}
