/** What collections of requests have to know of bearer tokens. */

import { valuesIn } from '../../../config/setting.js';
import type { RequestCollection } from '../../../kit/request-collection.js';
import { bearerSettings } from './settings.js';

export const bearerCollection: RequestCollection = {
  variables(config) {
    const { admin, user, readOnly } = valuesIn(config, bearerSettings).bearerTokens;
    return { adminToken: admin, userToken: user, readOnlyToken: readOnly };
  },
};
