import { describe, expect, test } from 'bun:test';
import { refuseShadowed } from '../../src/http/site.ts';

describe('a code is never a word that the router uses', () => {
  test.each(['/0markers', '/READMEZZ'])('the site is not built with the page %s', (path) => {
    expect(() => refuseShadowed(['/docs', path])).toThrow(path);
  });

  test.each(['/docs', '/healthz', '/metrics', '/docs/01234567', '/', '/calendar-'])(
    '%s is no code',
    (path) => {
      expect(() => refuseShadowed([path])).not.toThrow();
    },
  );
});
