/** What users have to do. */

import { Type } from 'typebox';
import { declareRecord } from '../declare-record.js';
import { date, oneOf, reference, text } from '../field-types.js';

export const todos = declareRecord('Todo', {
  userId: reference('The user who has to do it.'),
  title: text(1000),
  completed: Type.Boolean(),
  priority: oneOf(['high', 'medium', 'low'], 'How much it matters.'),
  dueDate: date(),
});
