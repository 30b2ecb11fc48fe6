import { describe, expect, test } from 'vitest';
import {
  checkAbsence,
  checkWrite,
  demandCondition,
  isNotModified,
  type Preconditions,
  writeConditionsOf,
} from './check-preconditions.js';

const etag = '"now"';
/** Half a second after a full second. */
const modifiedMs = Date.UTC(2027, 0, 1, 12, 0, 0, 500);
const before = 'Fri, 01 Jan 2027 11:59:59 GMT';
const same = 'Fri, 01 Jan 2027 12:00:00 GMT';

describe('a write', () => {
  test.each<[string, Preconditions, boolean]>([
    ['without conditions', {}, true],
    ['of the current record', { 'if-match': '"now"' }, true],
    ['of one of a list', { 'if-match': '"old", "now"' }, true],
    ['of any record', { 'if-match': '*' }, true],
    ['of deprecated version', { 'if-match': '"old"' }, false],
    ['with a weak tag', { 'if-match': 'W/"now"' }, false],
    ['with a tag without quotes', { 'if-match': 'now' }, false],
    ['with an empty list', { 'if-match': '' }, false],
    ['only if none exists', { 'if-none-match': '*' }, false],
    ['unless it is this version', { 'if-none-match': '"now"' }, false],
    ['unless it is this version, weakly', { 'if-none-match': 'W/"now"' }, false],
    ['unless it is another version', { 'if-none-match': '"old"' }, true],
    ['if both conditions hold', { 'if-match': '"now"', 'if-none-match': '"old"' }, true],
    ['if one condition fails', { 'if-match': '"now"', 'if-none-match': '"now"' }, false],
    ['unmodified since that second', { 'if-unmodified-since': same }, true],
    ['modified since', { 'if-unmodified-since': before }, false],
    ['since an invalid date', { 'if-unmodified-since': 'yesterday' }, true],
    [
      'of this version, whatever the date',
      { 'if-match': '"now"', 'if-unmodified-since': before },
      true,
    ],
    ['modified since, a condition of reads', { 'if-modified-since': same }, true],
  ])('%s: %j → %s', (_case, headers, isAllowed) => {
    const check = () => checkWrite(writeConditionsOf(headers), etag, modifiedMs);
    if (isAllowed) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ status: 412, headers: { etag } }));
  });
});

describe('a read', () => {
  test.each<[string, Preconditions, boolean]>([
    ['without conditions', {}, false],
    ['by a client with the current version', { 'if-none-match': '"now"' }, true],
    ['by a client with the current version, weakly', { 'if-none-match': 'W/"now"' }, true],
    ['by a client with deprecated version', { 'if-none-match': '"old"' }, false],
    ['by a client with any version', { 'if-none-match': '*' }, true],
    [
      'of this version, by a client that has it',
      { 'if-match': '"now"', 'if-none-match': '"now"' },
      true,
    ],
    ['by a client with the time of that second', { 'if-modified-since': same }, true],
    ['by a client with the time of the second before', { 'if-modified-since': before }, false],
    ['by a client with an invalid date', { 'if-modified-since': 'now' }, false],
    ['where the tag has priority', { 'if-none-match': '"old"', 'if-modified-since': same }, false],
    ['if unmodified', { 'if-unmodified-since': same }, false],
  ])('%s: %j → %s', (_case, headers, expected) => {
    expect(isNotModified(headers, etag, modifiedMs)).toBe(expected);
  });

  test('if modified since, fails', () => {
    expect(() => isNotModified({ 'if-unmodified-since': before }, etag, modifiedMs)).toThrow(
      'modified after If-Unmodified-Since: Fri, 01 Jan 2027 12:00:00 GMT',
    );
  });

  test('of another version fails', () => {
    expect(() => isNotModified({ 'if-match': '"old"' }, etag, modifiedMs)).toThrow(
      'its entity tag is now "now"',
    );
  });
});

test.each<[string, Preconditions, boolean]>([
  ['nothing', {}, false],
  ['a tag', { 'if-match': '"a"' }, true],
  ['a tag that must not match', { 'if-none-match': '*' }, true],
  ['a date', { 'if-unmodified-since': before }, true],
  ['an invalid date, which is ignored', { 'if-unmodified-since': 'now' }, false],
  ['a date for reads', { 'if-modified-since': before }, false],
])('a write of %s where a condition is required', (_name, headers, isTaken) => {
  const demand = () => demandCondition(writeConditionsOf(headers));
  if (isTaken) expect(demand).not.toThrow();
  else expect(demand).toThrow(expect.objectContaining({ status: 428 }));
});

test('an upsert without a condition gets an error that says how to create the record', () => {
  expect(() => demandCondition({} as never, true)).toThrow(/send If-None-Match: \*/);
});

test('a missing record does not match If-Match', () => {
  expect(() => checkAbsence({ 'if-match': '*' })).toThrow(expect.objectContaining({ status: 412 }));
  expect(() => checkAbsence({ 'if-none-match': '*' })).not.toThrow();
});
