/** Tasks of users. */

import { Type } from 'typebox';
import { declareRecord } from '../declare-record.js';
import { date, inAWeek, oneOf, reference, startingAs, text } from '../field-types.js';

export const todos = declareRecord(
  'Todo',
  {
    userId: reference({ of: 'users', childrenAs: 'todos' }, 'The user who has the task.'),
    title: text(1000),
    completed: Type.Boolean({ default: false }),
    priority: oneOf(['high', 'medium', 'low'], {
      default: 'medium',
      description: 'How much it matters.',
    }),
    dueDate: startingAs(inAWeek, date({ description: 'Default: in a week.' })),
  },
  { keepsTrash: true },
);
