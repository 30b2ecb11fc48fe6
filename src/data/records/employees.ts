/** Employees of companies. */

import { Type } from 'typebox';
import { declareRecord } from '../declare-record.js';
import {
  date,
  money,
  nullable,
  reference,
  startingAs,
  text,
  texts,
  today,
} from '../field-types.js';
import { address } from './address.js';

export const employees = declareRecord('Employee', {
  firstName: text(120),
  lastName: text(120),
  email: Type.String({ format: 'email', maxLength: 254 }),
  phone: text(40, { default: 'Unknown' }),
  department: text(60, { default: 'Other' }),
  title: text(120, { description: 'Job title.' }),
  salary: money({ default: 0, description: 'Per year.' }),
  hireDate: startingAs(today, date({ description: 'Default: today.' })),
  managerId: nullable(
    reference(
      { of: 'employees', childrenAs: 'reports' },
      'An employee of the same company; null at the top.',
    ),
    { default: null },
  ),
  companyId: reference({ of: 'companies', childrenAs: 'employees' }, 'Where they work.'),
  skills: texts(60, { default: [] }),
  /** Its `geo` is null for Engineering, and for no other department. */
  address,
  active: Type.Boolean({ default: true, description: 'False for former employees.' }),
});
