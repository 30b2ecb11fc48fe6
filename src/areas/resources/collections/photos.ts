/** Photos in albums. */

import { declareCollection } from '../declare-collection.js';

export const photos = declareCollection({
  name: 'photos',
  title: 'Photos',
  noun: 'photo',
  parents: [{ field: 'albumId', of: 'albums', parentAs: 'album', childrenAs: 'photos' }],
});
