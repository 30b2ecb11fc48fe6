/** Users, who write posts and have todos and albums. */

import { declareRecord } from '../declare-record.js';
import { text } from '../field-types.js';

export const users = declareRecord('User', {
  name: text(1000),
  job: text(1000),
  city: text(1000),
});
