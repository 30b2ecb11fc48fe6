/** People who work at companies. */

import { Type } from 'typebox';
import { declareRecord } from '../declare-record.js';
import { date, money, nullable, reference, text, texts } from '../field-types.js';
import { address } from './address.js';

export const employees = declareRecord('Employee', {
  firstName: text(120),
  lastName: text(120),
  email: Type.String({ format: 'email', maxLength: 254 }),
  phone: text(40),
  department: text(60),
  title: text(120, { description: 'The position.' }),
  salary: money({ description: 'Per year.' }),
  hireDate: date(),
  managerId: nullable(reference('An employee of the same company; null for a person at the top.')),
  companyId: reference('Where they work.'),
  skills: texts(60),
  /** Its `geo` is null for everyone in Engineering, and for nobody else. */
  address,
  active: Type.Boolean({ description: 'False for someone who has left.' }),
});
