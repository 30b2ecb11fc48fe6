/** Photos in albums. */

import { declareRecord } from '../declare-record.js';
import { picture, reference, text } from '../field-types.js';

export const photos = declareRecord('Photo', {
  albumId: reference({ of: 'albums', childrenAs: 'photos' }, 'The album of the photo.'),
  title: text(200),
  url: picture('photos'),
  thumbnailUrl: picture('photos', '-thumbnail.svg'),
});
