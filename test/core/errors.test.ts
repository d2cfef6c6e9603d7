import { expect, test } from 'bun:test';
import { logFailure, OutcomeUnknown, StoreUnavailable } from '../../src/core/errors.ts';
import { createLogger } from '../../src/lib/logger.ts';

test('only a failure that changed nothing says so', () => {
  const log = createLogger('json', Date.now, () => {});
  const undone = logFailure(new StoreUnavailable('full'), log);
  const open = logFailure(new OutcomeUnknown('lost'), log);
  expect([undone.code, open.code]).toEqual(['unavailable', 'unavailable']);
  expect(undone.message).toContain('Nothing was changed.');
  expect(open.message).toContain('The change may have been made');
});
