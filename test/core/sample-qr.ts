import { mapLabels } from '../../src/core/codes/fields.ts';
import type { Qr, QrImage } from '../../src/core/codes/qr.ts';
import type { ReadabilityResult } from '../../src/core/designs/design.ts';

/** A code without name, note and folder. */
export const noLabels = mapLabels(() => null);

export const sampleImage: QrImage = {
  designId: 1,
  logoPlacement: null,
  imageHash: new Uint8Array(32),
};

/** A code without scans. */
export const sampleQr: Qr = {
  id: 1,
  accountId: 1,
  code: '7h3k9m2x',
  shortLink: 'https://qr.example.com/7h3k9m2x',
  destination: 'https://example.org/',
  status: 'active',
  createdAtMs: 0,
  scans: 0,
  lastScanMs: null,
  image: sampleImage,
  ...noLabels,
  flag: null,
  isArchived: false,
};

export const readable: ReadabilityResult = {
  isReadable: true,
  score: 90,
  reasons: [],
  advice: null,
  logoPlacement: null,
  modules: 33,
  quietZoneModules: 4,
};
