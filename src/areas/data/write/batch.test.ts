import { expect, test } from 'vitest';
import { HttpError } from '#http/http-error.js';
import { CapacityError } from '#state/state.js';
import { checkOperations, runOperations, type SentOperation } from './batch.js';

function thrownBy(act: () => unknown): HttpError {
  try {
    act();
  } catch (error) {
    return error as HttpError;
  }
  throw new Error('Nothing was thrown.');
}

test.each<[string, SentOperation, string[]]>([
  ['POST with a body', { method: 'POST', body: {} }, []],
  ['PUT of an id with a body', { method: 'PUT', id: 1, body: {}, ifMatch: '"a"' }, []],
  ['PATCH of an id with a body', { method: 'PATCH', id: 'a', body: [] }, []],
  ['DELETE of an id', { method: 'DELETE', id: 0, ifMatch: '*' }, []],
  ['POST of an id', { method: 'POST', id: 1, body: {} }, ['id']],
  ['POST with a tag', { method: 'POST', body: {}, ifMatch: '*' }, ['ifMatch']],
  ['POST without a body', { method: 'POST' }, ['body']],
  ['PUT without id and body', { method: 'PUT' }, ['id', 'body']],
  ['PATCH without an id', { method: 'PATCH', body: {} }, ['id']],
  ['PATCH with null, which is a body', { method: 'PATCH', id: 1, body: null }, []],
  ['DELETE with a body', { method: 'DELETE', id: 1, body: {} }, ['body']],
])('%s', (_name, operation, faulty) => {
  const operations: SentOperation[] = [{ method: 'DELETE', id: 1 }, operation];
  if (faulty.length === 0) {
    expect(checkOperations(operations)).toBeUndefined();
    return;
  }
  const { status, extra } = thrownBy(() => checkOperations(operations));
  expect(status).toBe(400);
  const fields = (extra.errors as { field: string }[]).map(({ field }) => field);
  expect(fields).toEqual(faulty.map((member) => `operations.1.${member}`));
});

const performs = (numbers: readonly (number | Error)[]) => (index: number) => {
  const outcome = numbers[index] as number | Error;
  if (outcome instanceof Error) throw outcome;
  return { status: outcome, body: index };
};
const gone = new HttpError(404, 'Gone.', { body: { why: 'moved' } });
const stale = new HttpError(412, 'Changed.', { headers: { etag: '"x"' } });
const full = new CapacityError('Full.');

test('independent: a failure is one of the results', () => {
  const results = runOperations([0, 1, 2, 3], false, performs([201, gone, full, 204]));
  expect(results).toEqual([
    { status: 201, body: 0 },
    { status: 404, body: { status: 404, error: 'Not Found', message: 'Gone.', why: 'moved' } },
    { status: 409, body: { status: 409, error: 'Conflict', message: 'Full.' } },
    { status: 204, body: 3 },
  ]);
});

test('all or nothing: the first failure is the outcome of the batch, and no later operation begins', () => {
  const begun: number[] = [];
  const error = thrownBy(() =>
    runOperations([0, 1, 2], true, (index) => {
      begun.push(index);
      return performs([201, stale, 204])(index);
    }),
  );
  expect(begun).toEqual([0, 1]);
  expect(error).toMatchObject({ status: 412, headers: { etag: '"x"' }, extra: { index: 1 } });
  expect(error.message).toContain('Changed.');
});

test('all or nothing: one result for each operation if none fails', () => {
  expect(runOperations([0, 1], true, performs([200, 204]))).toHaveLength(2);
  expect(runOperations([], true, performs([]))).toEqual([]);
});

test.each([true, false])('a server error fails the whole batch, atomic: %s', (isAtomic) => {
  const ours = new TypeError('ours');
  expect(thrownBy(() => runOperations([0], isAtomic, performs([ours])))).toBe(ours);
});
