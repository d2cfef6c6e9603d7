import { expect, test } from 'bun:test';
import { ApiError, defaultMessage, errorCodes, httpStatus } from '../../src/core/errors.ts';

/** The contract's table, and below it what stands for our own failures. */
const table = [
  '400 invalid_json',
  '400 invalid_url',
  '401 unauthorized',
  '402 plan_required',
  '404 not_found',
  '405 method_not_allowed',
  '422 unsafe_url',
  '422 design_unreadable',
  '429 rate_limited',
  '500 internal_error',
  '503 unavailable',
];

test('the codes and their statuses are those of the contract, and no more', () => {
  expect(errorCodes.map((code) => `${httpStatus(code)} ${code}`)).toEqual(table);
});

test.each(errorCodes)('%s has a message of its own, which any can replace', (code) => {
  expect(new ApiError(code)).toMatchObject({
    code,
    status: httpStatus(code),
    message: defaultMessage(code),
    headers: {},
  });
  expect(defaultMessage(code)).toMatch(/^[A-Z].+\.$/s);
  const precise = new ApiError(code, 'Precisely this.', { Allow: 'GET' });
  expect([precise.message, precise.headers]).toEqual(['Precisely this.', { Allow: 'GET' }]);
  expect(precise).toBeInstanceOf(Error);
});
