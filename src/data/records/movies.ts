/** Real films. */

import { declareRecord } from '../declare-record.js';
import { count, decimalNumber, longCount, picture, text, texts } from '../field-types.js';

export const movies = declareRecord('Movie', {
  title: text(200),
  /** Commas separate several directors. */
  director: text(200),
  year: count({ maximum: 2100, description: 'Year of the first release.' }),
  genres: texts(60, { default: [] }),
  runtimeMinutes: count({ minimum: 1, maximum: 100_000 }),
  rating: decimalNumber({ minimum: 0, maximum: 10, default: 0 }),
  cast: texts(120, { default: [] }),
  boxOffice: longCount({
    default: 0,
    description: 'Worldwide gross in US dollars, re-releases included.',
  }),
  poster: picture('movies'),
});
