/** Digest authentication (RFC 7616). */

import { valuesIn } from '../../../config/setting.js';
import { describeUser, userSchema } from '../describe-user.js';
import type { Scheme } from '../scheme.js';
import { seeIndex } from '../see-index.js';
import { digestCollection } from './collection.js';
import { addDigestRoutes } from './routes.js';
import { digestSettings } from './settings.js';

export const digestScheme = {
  name: 'digest',
  title: 'Digest',
  settings: digestSettings,
  index: {
    schema: { digest: userSchema },
    read: (config) => ({ digest: valuesIn(config, digestSettings).digestUser }),
  },
  credentials: (config) => [describeUser('Digest', valuesIn(config, digestSettings).digestUser)],
  securitySchemes: {
    digest: { type: 'http', scheme: 'digest', description: `RFC 7616. ${seeIndex}` },
  },
  collection: digestCollection,
  addRoutes: addDigestRoutes,
} satisfies Scheme;
