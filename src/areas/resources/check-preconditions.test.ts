import { describe, expect, test } from 'vitest';
import { checkWrite, isNotModified, type Preconditions } from './check-preconditions.js';

const etag = '"now"';

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
  ])('%s: %j → %s', (_case, headers, isAllowed) => {
    const check = () => checkWrite(headers, () => etag);
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
  ])('%s: %j → %s', (_case, headers, expected) => {
    expect(isNotModified(headers, etag)).toBe(expected);
  });

  test('of another one fails', () => {
    expect(() => isNotModified({ 'if-match': '"old"' }, etag)).toThrow('its entity tag is "now"');
  });
});
