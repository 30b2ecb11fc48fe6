import { expect, test } from 'vitest';
import { cookieValues } from './cookie-values.js';

test.each([
  ['no header', undefined, []],
  ['an empty header', '', []],
  ['only the cookie', 'api_key=k', ['k']],
  ['among other cookies', 'a=1; api_key=k; b=2', ['k']],
  ['without spaces', 'a=1;api_key=k', ['k']],
  ['in quotes, which are part of the value (RFC 6265 section 5.4)', 'api_key="k"', ['"k"']],
  ['percent-encoded', 'api_key=k%20l', ['k l']],
  ['malformed percent-encoding', 'api_key=%zz', ['%zz']],
  ['twice', 'api_key=k; api_key=l', ['k', 'l']],
  ['empty', 'api_key=', ['']],
  ['a name in another letter case', 'API_KEY=k', []],
  ['a name with the same ending', 'my_api_key=k', []],
])('%s', (_name, header, expected) => {
  expect(cookieValues(header, 'api_key')).toEqual(expected);
});
