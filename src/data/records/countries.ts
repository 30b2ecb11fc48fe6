/** The member states of the United Nations and its two observer states. */

import { Type } from 'typebox';
import { declareRecord } from '../declare-record.js';
import { decimalNumber, emoji, longCount, oneOf, text, texts } from '../field-types.js';

/** Capital letters, as many as in the example. */
const code = (example: string, description: string) =>
  Type.String({ pattern: `^[A-Z]{${example.length}}$`, examples: [example], description });

export const countries = declareRecord('Country', {
  /** Common English name. */
  name: text(120),
  code: code('NO', 'ISO 3166-1 alpha-2.'),
  code3: code('NOR', 'ISO 3166-1 alpha-3.'),
  /** The capital in the constitution; otherwise the seat of government. */
  capital: text(120),
  region: oneOf(['Africa', 'Americas', 'Asia', 'Europe', 'Oceania'], {
    description: 'Continental region of the United Nations geoscheme (M49).',
  }),
  population: longCount({ description: 'Estimate for 2025.' }),
  area: decimalNumber({ minimum: 0, description: 'Square kilometres.' }),
  /** The main currency. */
  currency: Type.Object(
    {
      code: code('NOK', 'ISO 4217.'),
      name: text(60),
      symbol: text(10),
    },
    { title: 'CountryCurrency' },
  ),
  languages: texts(60, {
    default: [],
    description: 'English names of the official, national or working languages.',
  }),
  callingCode: Type.String({
    pattern: '^\\+[1-9]\\d{0,3}$',
    examples: ['+47'],
    description: 'International dialling prefix with its plus sign.',
  }),
  flag: emoji({ default: '🏳️', description: 'Emoji.' }),
  timezones: texts(60, { default: [], description: 'Names in the IANA time zone database.' }),
});
