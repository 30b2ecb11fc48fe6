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
/** Half a second after a whole one. */
const modifiedMs = Date.UTC(2027, 0, 1, 12, 0, 0, 500);
const before = 'Fri, 01 Jan 2027 11:59:59 GMT';
const same = 'Fri, 01 Jan 2027 12:00:00 GMT';

describe('a write', () => {
  test.each<[string, Preconditions, boolean]>([
    ['without conditions', {}, true],
    ['of the record as it is', { 'if-match': '"now"' }, true],
    ['of one in a list', { 'if-match': '"old", "now"' }, true],
    ['of any record', { 'if-match': '*' }, true],
    ['of a record that has changed', { 'if-match': '"old"' }, false],
    ['by a weak tag', { 'if-match': 'W/"now"' }, false],
    ['by a tag without quotes', { 'if-match': 'now' }, false],
    ['by an empty list', { 'if-match': '' }, false],
    ['only where there is none', { 'if-none-match': '*' }, false],
    ['unless it is this', { 'if-none-match': '"now"' }, false],
    ['unless it is this, weakly', { 'if-none-match': 'W/"now"' }, false],
    ['unless it is another', { 'if-none-match': '"old"' }, true],
    ['where both hold', { 'if-match': '"now"', 'if-none-match': '"old"' }, true],
    ['where one does not', { 'if-match': '"now"', 'if-none-match': '"now"' }, false],
    ['unmodified since that second', { 'if-unmodified-since': same }, true],
    ['modified since', { 'if-unmodified-since': before }, false],
    ['since what is no date', { 'if-unmodified-since': 'yesterday' }, true],
    [
      'of this one, whatever the date',
      { 'if-match': '"now"', 'if-unmodified-since': before },
      true,
    ],
    ['modified since, which a read asks for', { 'if-modified-since': same }, true],
  ])('%s: %j → %s', (_case, headers, isAllowed) => {
    const check = () => checkWrite(writeConditionsOf(headers), etag, modifiedMs);
    if (isAllowed) expect(check).not.toThrow();
    else expect(check).toThrow(expect.objectContaining({ status: 412, headers: { etag } }));
  });
});

describe('a read', () => {
  test.each<[string, Preconditions, boolean]>([
    ['without conditions', {}, false],
    ['by one who has it', { 'if-none-match': '"now"' }, true],
    ['by one who has it, weakly', { 'if-none-match': 'W/"now"' }, true],
    ['by one who has an old one', { 'if-none-match': '"old"' }, false],
    ['by one who has anything', { 'if-none-match': '*' }, true],
    ['of this one, by one who has it', { 'if-match': '"now"', 'if-none-match': '"now"' }, true],
    ['by one who has that of the second', { 'if-modified-since': same }, true],
    ['by one who has that of before', { 'if-modified-since': before }, false],
    ['by one who names no date', { 'if-modified-since': 'now' }, false],
    ['where the tag decides', { 'if-none-match': '"old"', 'if-modified-since': same }, false],
    ['of what is unmodified', { 'if-unmodified-since': same }, false],
  ])('%s: %j → %s', (_case, headers, expected) => {
    expect(isNotModified(headers, etag, modifiedMs)).toBe(expected);
  });

  test('of what was modified since fails', () => {
    expect(() => isNotModified({ 'if-unmodified-since': before }, etag, modifiedMs)).toThrow(
      'modified after If-Unmodified-Since: Fri, 01 Jan 2027 12:00:00 GMT',
    );
  });

  test('of another one fails', () => {
    expect(() => isNotModified({ 'if-match': '"old"' }, etag, modifiedMs)).toThrow(
      'its entity tag is "now"',
    );
  });
});

test.each<[string, Preconditions, boolean]>([
  ['nothing', {}, false],
  ['a tag', { 'if-match': '"a"' }, true],
  ['a tag that it must not have', { 'if-none-match': '*' }, true],
  ['a date', { 'if-unmodified-since': before }, true],
  ['what is no date, which does not count', { 'if-unmodified-since': 'now' }, false],
  ['a date for readers', { 'if-modified-since': before }, false],
])('a write of %s where a condition is demanded', (_name, headers, isTaken) => {
  const demand = () => demandCondition(writeConditionsOf(headers));
  if (isTaken) expect(demand).not.toThrow();
  else expect(demand).toThrow(expect.objectContaining({ status: 428 }));
});

test('an upsert is told how to create the record', () => {
  expect(() => demandCondition({} as never, true)).toThrow(/send If-None-Match: \*/);
});

test('what is not there is not what If-Match names', () => {
  expect(() => checkAbsence({ 'if-match': '*' })).toThrow(expect.objectContaining({ status: 412 }));
  expect(() => checkAbsence({ 'if-none-match': '*' })).not.toThrow();
});
