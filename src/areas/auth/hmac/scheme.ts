/** Requests signed with HMAC-SHA256. */

import { Type } from 'typebox';
import { valuesIn } from '../../../config/setting.js';
import type { Scheme } from '../scheme.js';
import { hmacCollection } from './collection.js';
import { addHmacRoutes } from './routes.js';
import { hmacSettings } from './settings.js';

export const hmacScheme = {
  name: 'hmac',
  title: 'HMAC',
  settings: hmacSettings,
  index: {
    schema: { hmac: Type.Object({ secret: Type.String() }) },
    read: (config) => ({ hmac: { secret: valuesIn(config, hmacSettings).hmacSecret } }),
  },
  credentials: (config) => [
    {
      title: 'HMAC',
      parts: [{ name: 'Secret', value: valuesIn(config, hmacSettings).hmacSecret }],
    },
  ],
  collection: hmacCollection,
  addRoutes: addHmacRoutes,
} satisfies Scheme;
