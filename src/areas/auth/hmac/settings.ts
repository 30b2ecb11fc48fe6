import { credential } from '../../../config/setting.js';

export const hmacSettings = {
  /** The secret of HMAC signatures. */
  hmacSecret: credential({
    flag: 'auth-hmac-secret',
    placeholder: 'secret',
    meaning: 'the secret of HMAC signatures',
    demo: 'demo-hmac-secret',
    parse: parseHmacSecret,
  }),
};

function parseHmacSecret(text: string): string {
  if (text === '') throw new Error('must not be empty');
  return text;
}
