/** Content codings: negotiated, fixed, broken on purpose, or large when decoded; and encoded request bodies. */

import type { Topic } from '../topic.js';
import { decode } from './decode.js';
import { fixed, negotiated } from './encoding.js';

export const codingsTopic: Topic = {
  name: 'codings',
  title: 'Content codings',
  start: '/api/http/encoding',
  summary: 'gzip, deflate, br and zstd: correct, broken, and very large when decoded.',
  endpoints: () => [negotiated, fixed, decode],
};
