/** Protection of forms against cross-site requests. */

import type { Scheme } from '../scheme.js';
import { csrfCollection } from './collection.js';
import { issueToken, submitForm } from './endpoints.js';

export const csrfScheme = {
  name: 'csrf',
  title: 'CSRF',
  collection: csrfCollection,
  endpoints: (_services, mac) => [issueToken(mac), submitForm(mac)],
} satisfies Scheme;
