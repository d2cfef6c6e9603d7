import { expect, test } from 'bun:test';
import {
  defaultMessage,
  errorCodes,
  httpStatus,
  logFailure,
  OutcomeUnknown,
  StoreUnavailable,
} from '../../src/core/errors.ts';
import { createLogger } from '../../src/lib/logger.ts';

test('the error codes and statuses are those of the contract and two of the server', () => {
  expect(errorCodes.map((code) => `${httpStatus(code)} ${code}`)).toEqual([
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
  ]);
  for (const code of errorCodes) expect(defaultMessage(code)).toMatch(/^[A-Z].+\.$/s);
});

test('only a failure that changed nothing says so', () => {
  const log = createLogger('json', Date.now, () => {});
  const undone = logFailure(new StoreUnavailable('full'), log);
  const open = logFailure(new OutcomeUnknown('lost'), log);
  expect([undone.code, open.code]).toEqual(['unavailable', 'unavailable']);
  expect(undone.message).toContain('Nothing was changed.');
  expect(open.message).toContain('The change may have been made');
});
