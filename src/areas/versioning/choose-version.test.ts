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
])('%j is version %j', (text, expected) => {
  expect(readVersion(text)).toBe(expected);
});

describe('the selected version', () => {
  test.each<[string, VersionRequest, string, string]>([
    ['without any selection', {}, '2', 'default'],
    ['by the header', { header: '1' }, '1', 'header'],
    ['by the header before the rest', { header: '1', query: '2', accept: v2 }, '1', 'header'],
    ['by the query', { query: 'v1' }, '1', 'query'],
    ['by the query before the media type', { query: '2.0', accept: v1 }, '2', 'query'],
    ['by the same query twice', { query: ['1', 'v1'] }, '1', 'query'],
    ['by the media type', { accept: v1 }, '1', 'accept'],
    ['by the media type in capitals', { accept: v1.toUpperCase() }, '1', 'accept'],
    ['by the media type with parameters', { accept: `${v1};charset=utf-8; q=0.8` }, '1', 'accept'],
    ['by the type with the greatest weight', { accept: `${v1};q=0.5, ${v2};q=0.4` }, '1', 'accept'],
    ['by the newer of equal types', { accept: `${v1}, ${v2}` }, '2', 'accept'],
    [
      'by the supported type',
      { accept: `application/vnd.service.v3+json, ${v1};q=0.1` },
      '1',
      'accept',
    ],
    ["by a version's type beside */*", { accept: `${v1}, */*;q=0.1` }, '1', 'accept'],
    [
      "by a version's type beside JSON of the same weight",
      { accept: `application/json, ${v1}` },
      '1',
      'accept',
    ],
    ['by JSON with a greater weight', { accept: `application/json, ${v1};q=0.9` }, '2', 'default'],
    [
      'by */* beside an unknown type',
      { accept: 'application/vnd.service.v3+json, */*;q=0.1' },
      '2',
      'default',
    ],
    ['by a type with an invalid weight', { accept: `${v1};q=high` }, '1', 'accept'],
    ['by a type with weight 0', { accept: `${v1};q=0` }, '2', 'default'],
    ['for a browser', { accept: 'text/html,application/xml;q=0.9,*/*;q=0.8' }, '2', 'default'],
    ['for only HTML', { accept: 'text/html' }, '2', 'default'],
    ['for an empty Accept', { accept: '' }, '2', 'default'],
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
  ])('the version %j is not supported', (request, source) => {
    expect(() => chooseVersion(request)).toThrow(
      expect.objectContaining({
        status: 400,
        extra: { source, supportedVersions: ['1', '2'] },
      }),
    );
  });

  test('a version selected by media type is returned in that media type', () => {
    expect(chooseVersion({ accept: v1 }).mediaType).toBe(v1);
    expect(chooseVersion({ header: '1', accept: v1 }).mediaType).toBeUndefined();
  });
});
