/** Requests signed with HMAC-SHA256. */

import { Type } from 'typebox';
import { credential, valuesIn } from '../../../config/setting.js';
import type { Config } from '../../../config/settings.js';
import type { Scheme } from '../scheme.js';
import { hmacCollection } from './collection.js';
import { receiveSigned } from './endpoints.js';

const settings = {
  /** The secret of HMAC signatures. */
  hmacSecret: credential({
    flag: 'auth-hmac-secret',
    placeholder: 'secret',
    meaning: 'the secret of HMAC signatures',
    demo: 'demo-hmac-secret',
    parse(text) {
      if (text === '') throw new Error('must not be empty');
      return text;
    },
  }),
};

const secretOf = (config: Config) => valuesIn(config, settings).hmacSecret;

export const hmacScheme = {
  name: 'hmac',
  title: 'HMAC',
  settings,
  index: {
    schema: { hmac: Type.Object({ secret: Type.String() }) },
    read: (config) => ({ hmac: { secret: secretOf(config) } }),
  },
  credentials: (config) => [
    { title: 'HMAC', parts: [{ name: 'Secret', value: secretOf(config) }] },
  ],
  collection: { ...hmacCollection, variables: (config) => ({ hmacSecret: secretOf(config) }) },
  endpoints: ({ config }) => [receiveSigned(secretOf(config))],
} satisfies Scheme;
