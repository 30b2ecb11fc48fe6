/** People with an address and a job. */

import { Type } from 'typebox';
import { declareRecord } from '../declare-record.js';
import { date, oneOf, picture, text } from '../field-types.js';
import { address } from './address.js';

export const people = declareRecord('Person', {
  firstName: text(120),
  lastName: text(120),
  username: text(60),
  email: Type.String({ format: 'email', maxLength: 254 }),
  gender: oneOf(['female', 'male', 'non-binary'], { description: 'Self-described.' }),
  dateOfBirth: date(),
  phone: text(40, { default: 'Unknown' }),
  avatar: picture('people'),
  address,
  company: Type.Object(
    { name: text(200), title: text(120, { description: 'Job title.' }) },
    { title: 'PersonCompany' },
  ),
});
