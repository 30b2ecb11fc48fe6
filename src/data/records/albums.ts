/** Photo albums of users. */

import { declareRecord } from '../declare-record.js';
import { reference, text } from '../field-types.js';

export const albums = declareRecord('Album', {
  userId: reference({ of: 'users', childrenAs: 'albums' }, 'The user who owns the album.'),
  title: text(200),
});
