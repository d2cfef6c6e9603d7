import { Resvg } from '@resvg/resvg-js';
import jsQR from 'jsqr';
import { plainDesign } from '../../src/core/designs/design.ts';
import { startServer } from '../support/server.ts';
import { measure, settled } from './measure.ts';
import { naiveSvg } from './naive.ts';
import { targetOf } from './servers.ts';
import { median, printTable } from './table.ts';

/**
 * CPU time of a create over HTTP, with everything that belongs to it: the readability gate, the write to
 * disk, the answer. Beside it the naive pipeline that only draws and reads back: qrcode-generator, an
 * SVG, resvg at 512 pixels, jsQR.
 */
export async function benchCreates(rounds = 5): Promise<void> {
  const server = await startServer();
  const { key } = await server.account('bench@example.com');
  const target = targetOf('create', server, [createRequest(key)]);
  await measure(target, { connections: 8, seconds: 1 });
  await settled(server.pid());
  await naiveMs(20);
  const [ours, theirs, rates]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    const { cpuMicros, perSecond } = await measure(target, { connections: 8, seconds: 2 });
    ours.push(cpuMicros / 1000);
    rates.push(perSecond);
    theirs.push(await naiveMs(60));
  }
  const ratios = ours.map((ms, round) => ms / (theirs[round] ?? Number.NaN));
  printTable(
    ['create', 'CPU ms', 'naive pipeline, CPU ms', 'of naive', 'creates per second'],
    [
      [
        'plain design, over HTTP',
        median(ours).toFixed(2),
        median(theirs).toFixed(2),
        median(ratios).toFixed(2),
        median(rates).toFixed(0),
      ],
    ],
  );
  await server.close();
}

/** A POST as it goes over the wire. */
export function createRequest(key: string): string {
  const body = '{"url":"https://example.com/menu"}';
  return `POST /api/v1/qrs HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

async function naiveMs(times: number): Promise<number> {
  const before = process.cpuUsage();
  for (let time = 0; time < times; time++) {
    const link = `https://go.example.com/${String(time).padStart(8, 'k')}`;
    const image = new Resvg(naiveSvg(link, plainDesign), {
      fitTo: { mode: 'width', value: 512 },
      font: { loadSystemFonts: false },
    }).render();
    if (jsQR(new Uint8ClampedArray(image.pixels), 512, 512)?.data !== link)
      throw new Error('the naive pipeline did not read its own code');
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / times;
}
