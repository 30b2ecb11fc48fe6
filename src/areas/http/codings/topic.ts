/** Content codings: negotiated, fixed, broken on purpose, large when undone; and bodies that are sent coded. */

import type { Topic } from '../topic.js';
import { decode } from './decode.js';
import { fixed, negotiated } from './encoding.js';

export const codingsTopic: Topic = {
  name: 'codings',
  title: 'Content codings',
  start: '/api/http/encoding',
  summary: 'gzip, deflate, br and zstd, right and wrong, and how large they may grow.',
  endpoints: () => [negotiated, fixed, decode],
};
