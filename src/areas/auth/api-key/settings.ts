import { credential } from '../../../config/setting.js';

export const apiKeySettings = {
  /** The API key. */
  apiKey: credential({
    flag: 'auth-api-key',
    placeholder: 'key',
    meaning: 'the API key',
    demo: 'demo-api-key',
    parse: parseApiKey,
  }),
};

export function parseApiKey(text: string): string {
  // What a cookie can hold unquoted and undecoded (RFC 6265 section 4.1.1), less the percent sign.
  if (!/^[!#$&-+\--:<-[\]-~]+$/.test(text)) {
    throw new Error(
      'must be printable ASCII without space, quote, comma, semicolon, backslash or percent',
    );
  }
  return text;
}
