/** Employers. */

import { Type } from 'typebox';
import { declareRecord } from '../declare-record.js';
import { count, money, text } from '../field-types.js';

export const companies = declareRecord(
  'Company',
  {
    name: text(200),
    industry: text(120, { default: 'Other' }),
    founded: count({ maximum: 2100, description: 'Year.' }),
    /** In our data under the reserved domain `.example`, so that no real site is reached. */
    website: Type.String({ format: 'uri', pattern: '^https?://', maxLength: 2000 }),
    headquarters: Type.Object(
      { city: text(120), country: text(120) },
      { title: 'CompanyHeadquarters' },
    ),
    revenue: money({ maximum: 1e12, default: 0, description: 'Per year.' }),
    employeeCount: count({ default: 0 }),
  },
  { demandsCondition: true },
);
