import { describe, expect, test } from 'bun:test';
import { pathsOf } from '../../src/core/short-bases.ts';

describe('paths in front of the codes', () => {
  test('each once, none where there is none', () => {
    const bases = ['https://a.example', 'https://a.example/q', 'https://b.example/q/'];
    expect(pathsOf(bases)).toEqual(['/q']);
  });

  test('one that lies within another comes before it, or a code would be looked for below the other', () => {
    const bases = ['https://a.example/q', 'https://a.example/q/s', 'https://a.example/q/s/t'];
    expect(pathsOf(bases)).toEqual(['/q/s/t', '/q/s', '/q']);
  });
});
