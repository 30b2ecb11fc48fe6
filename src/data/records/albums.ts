/** Photos of one user that belong together. */

import { declareRecord } from '../declare-record.js';
import { reference, text } from '../field-types.js';

export const albums = declareRecord('Album', {
  userId: reference({ of: 'users', childrenAs: 'albums' }, 'The user who keeps it.'),
  title: text(200),
});
