import { describe, expect, test } from 'vitest';
import { chooseVersion, readVersion, type VersionRequest } from './choose-version.js';

const v1 = 'application/vnd.service.v1+json';
const v2 = 'application/vnd.service.v2+json';

test.each([
  ['1', '1'],
  ['2', '2'],
  ['v2', '2'],
  ['V1', '1'],
  ['2.0', '2'],
  ['v1.00', '1'],
  [' 2 ', '2'],
  ['3', undefined],
  ['2.1', undefined],
  ['02', undefined],
  ['1, 2', undefined],
  ['latest', undefined],
  ['', undefined],
])('%j reads as version %j', (text, expected) => {
  expect(readVersion(text)).toBe(expected);
});

describe('the version', () => {
  test.each<[string, VersionRequest, string, string]>([
    ['of nothing', {}, '2', 'default'],
    ['of the header', { header: '1' }, '1', 'header'],
    ['of the header before the rest', { header: '1', query: '2', accept: v2 }, '1', 'header'],
    ['of the query', { query: 'v1' }, '1', 'query'],
    ['of the query before the media type', { query: '2.0', accept: v1 }, '2', 'query'],
    ['of the query given twice alike', { query: ['1', 'v1'] }, '1', 'query'],
    ['of the media type', { accept: v1 }, '1', 'accept'],
    ['of the media type in capitals', { accept: v1.toUpperCase() }, '1', 'accept'],
    ['of the media type with parameters', { accept: `${v1};charset=utf-8; q=0.8` }, '1', 'accept'],
    ['of the type wanted more', { accept: `${v1};q=0.5, ${v2};q=0.4` }, '1', 'accept'],
    ['of the newer of equal types', { accept: `${v1}, ${v2}` }, '2', 'accept'],
    [
      'of the type on offer',
      { accept: `application/vnd.service.v3+json, ${v1};q=0.1` },
      '1',
      'accept',
    ],
    ['of a type beside anything', { accept: `${v1}, */*;q=0.1` }, '1', 'accept'],
    ['of a type beside as much of JSON', { accept: `application/json, ${v1}` }, '1', 'accept'],
    ['of JSON wanted more', { accept: `application/json, ${v1};q=0.9` }, '2', 'default'],
    [
      'of an unknown type beside anything',
      { accept: 'application/vnd.service.v3+json, */*;q=0.1' },
      '2',
      'default',
    ],
    ['of a type with what is no weight', { accept: `${v1};q=high` }, '1', 'accept'],
    ['of a type ruled out', { accept: `${v1};q=0` }, '2', 'default'],
    ['of a browser', { accept: 'text/html,application/xml;q=0.9,*/*;q=0.8' }, '2', 'default'],
    ['of HTML alone', { accept: 'text/html' }, '2', 'default'],
    ['of an empty Accept', { accept: '' }, '2', 'default'],
  ])('%s', (_case, request, version, source) => {
    expect(chooseVersion(request)).toMatchObject({ version, source });
  });

  test.each<[VersionRequest, string]>([
    [{ header: '3', query: '1' }, 'header'],
    [{ header: '' }, 'header'],
    [{ query: '9' }, 'query'],
    [{ query: '', accept: v1 }, 'query'],
    [{ query: ['1', '2'] }, 'query'],
    [{ query: ['x', 'y'] }, 'query'],
    [{ accept: 'application/vnd.service.v3+json' }, 'accept'],
    [{ accept: 'application/vnd.service.v3+json, text/html' }, 'accept'],
    [{ accept: 'application/vnd.service.vx+json' }, 'accept'],
  ])('of %j is not supported', (request, source) => {
    expect(() => chooseVersion(request)).toThrow(
      expect.objectContaining({
        status: 400,
        extra: { source, supportedVersions: ['1', '2'] },
      }),
    );
  });

  test('chosen by media type is returned in that media type', () => {
    expect(chooseVersion({ accept: v1 }).mediaType).toBe(v1);
    expect(chooseVersion({ header: '1', accept: v1 }).mediaType).toBeUndefined();
  });
});
