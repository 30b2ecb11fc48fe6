/** Protection of forms against cross-site requests. */

import type { Scheme } from '../scheme.js';
import { csrfCollection } from './collection.js';
import { addCsrfRoutes } from './routes.js';

export const csrfScheme = {
  name: 'csrf',
  title: 'CSRF',
  collection: csrfCollection,
  addRoutes: addCsrfRoutes,
} satisfies Scheme;
