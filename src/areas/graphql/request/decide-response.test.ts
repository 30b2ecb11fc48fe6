import { describe, expect, test } from 'vitest';
import { chooseMediaType, decideResponse, prefersEvents, takesEvents } from './decide-response.js';

const newer = 'application/graphql-response+json';
const older = 'application/json';

describe('chooseMediaType', () => {
  const cases: readonly [accept: string | undefined, chosen: string | undefined][] = [
    [undefined, newer],
    ['', newer],
    ['*/*', newer],
    ['application/*', newer],
    [newer, newer],
    [older, older],
    // axios, Apollo Client, urql, graphql-request, browsers
    ['application/json, text/plain, */*', newer],
    ['application/graphql-response+json,application/json;q=0.9', newer],
    [
      'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed',
      newer,
    ],
    ['application/graphql-response+json, application/json', newer],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', newer],
    // Letter case and white space
    ['Application/JSON', older],
    ['APPLICATION/GRAPHQL-RESPONSE+JSON', newer],
    ['  application/json ; charset=utf-8 ', older],
    // Weights
    ['application/graphql-response+json;q=0.2, application/json;q=0.8', older],
    ['application/graphql-response+json;q=0.8, application/json;q=0.2', newer],
    ['application/graphql-response+json;q=0, application/json', older],
    ['application/json;q=0, */*', newer],
    ['application/graphql-response+json;q=0, */*', older],
    ['application/json, */*;q=0.1', older],
    ['application/*;q=0.5, application/json;q=0.9', older],
    ['application/json;Q=0.5, */*;q=0.5', newer],
    ['application/json; q=0.50', older],
    ['application/json;q=nonsense', older],
    ['application/json;q=', older],
    // Nothing acceptable
    ['application/xml', undefined],
    ['text/html', undefined],
    ['text/*', undefined],
    ['text/event-stream', undefined],
    ['application/json;q=0', undefined],
    ['*/*;q=0', undefined],
    ['nonsense', undefined],
    [',,', undefined],
  ];

  test.each(cases)('Accept: %s → %s', (accept, chosen) => {
    expect(chooseMediaType(accept)).toBe(chosen);
  });
});

describe('decideResponse', () => {
  const charset = '; charset=utf-8';
  test.each([
    ['executed', newer, 200, newer],
    ['executed', older, 200, older],
    ['rejected', newer, 400, newer],
    ['rejected', older, 200, older],
    ['malformed', newer, 400, newer],
    ['malformed', older, 400, older],
    ['method-not-allowed', newer, 405, newer],
    ['method-not-allowed', older, 405, older],
    ['not-acceptable', undefined, 406, newer],
  ] as const)('%s, for %s → %i as %s', (outcome, mediaType, status, contentType) => {
    expect(decideResponse(mediaType, outcome)).toEqual({
      status,
      headers: {
        'content-type': contentType + charset,
        ...(status === 405 && { allow: 'POST' }),
      },
    });
  });
});

test.each([
  [undefined, false, false],
  ['*/*', false, false],
  ['text/*', false, false],
  ['text/event-stream', true, true],
  ['Text/Event-Stream;q=0.1', true, true],
  ['text/event-stream;q=0', false, false],
  ['text/event-stream, */*', true, false],
  ['application/json, text/event-stream, multipart/mixed', true, false],
  ['application/json;q=0.5, text/event-stream', true, true],
  ['application/json;q=0.5, text/event-stream;q=0.4', true, false],
])('Accept: %s accepts events: %s, and prefers them: %s', (accept, takes, prefers) => {
  expect(takesEvents(accept)).toBe(takes);
  expect(prefersEvents(accept)).toBe(prefers);
});
