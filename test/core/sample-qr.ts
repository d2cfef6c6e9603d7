import type { Qr } from '../../src/core/codes/qr.ts';

/** A code without scans. */
export const sampleQr: Qr = {
  id: 1,
  accountId: 1,
  designId: 1,
  code: '7h3k9m2x',
  shortLink: 'https://qr.example.com/7h3k9m2x',
  destination: 'https://example.org/',
  status: 'active',
  createdAtMs: 0,
  scans: 0,
  lastScanMs: null,
  logoPlacement: null,
  imageHash: new Uint8Array(32),
  flag: null,
};
