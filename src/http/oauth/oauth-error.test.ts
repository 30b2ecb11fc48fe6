import { expect, test } from 'vitest';
import { OAuthError, plain, shapeOAuthFailure } from './oauth-error.js';

test.each([
  ['invalid_client', 401],
  ['invalid_request', 400],
  ['slow_down', 400],
])('%s is %i', (code, status) => {
  const error = new OAuthError(code, 'Say "please".');
  expect(error).toMatchObject({ code, status, message: 'Say "please".' });
  expect(error.extra).toEqual({ error: code, error_description: "Say 'please'." });
  expect('www-authenticate' in error.headers).toBe(status === 401);
});

test('a description has only ASCII characters, without quotes and backslashes', () => {
  expect(plain('"a" \\ é … ~')).toBe("'a' ? ? ... ~");
});

test.each([
  [400, 'invalid_request'],
  [401, 'invalid_client'],
  [429, 'temporarily_unavailable'],
  [500, 'server_error'],
  [503, 'temporarily_unavailable'],
])('a planned failure with %i has the code %s', (status, code) => {
  const { body, headers } = shapeOAuthFailure(status, 'It fails.');
  expect(JSON.parse(String(body))).toMatchObject({
    status,
    error: code,
    error_description: 'It fails.',
  });
  expect(headers).toMatchObject({ 'cache-control': 'no-store' });
});
