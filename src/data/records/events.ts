/** Concerts, conferences, races and other events with tickets. */

import { Type } from 'typebox';
import { gotValue } from '#base/text/got-value.js';
import { declareRecord, type RuleFault } from '../declare-record.js';
import { money, tags, text, timestamp } from '../field-types.js';

const seats = (description?: string) =>
  Type.Integer({
    minimum: 0,
    maximum: 10_000_000,
    default: 0,
    ...(description !== undefined && { description }),
  });

export const events = declareRecord(
  'Event',
  {
    name: text(120),
    category: text(120, { default: 'Other' }),
    venue: text(120, { default: 'To be announced' }),
    city: text(120, { default: 'To be announced' }),
    startsAt: timestamp(),
    endsAt: timestamp({ description: 'Not before startsAt.' }),
    price: money({ default: 0, description: 'Price of one ticket; 0 when admission is free.' }),
    capacity: seats(),
    ticketsSold: seats('Not more than capacity.'),
    organizer: text(120, { default: 'Unknown' }),
    tags: tags(),
  },
  {
    checkRules: ({ startsAt, endsAt, capacity, ticketsSold }) => {
      const faults: RuleFault[] = [];
      if (startsAt !== undefined && endsAt !== undefined && endsAt < startsAt) {
        const message = `endsAt must not be before startsAt${gotValue('endsAt', endsAt)}.`;
        faults.push({ field: 'endsAt', message });
      }
      if (capacity !== undefined && ticketsSold !== undefined && ticketsSold > capacity) {
        const message = `ticketsSold must not be more than capacity (${capacity}); got ${ticketsSold}.`;
        faults.push({ field: 'ticketsSold', message });
      }
      return faults;
    },
  },
);
