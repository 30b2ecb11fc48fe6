/** Classes: a teacher sees the progress of pupils, who each have an address. */

import { lazily } from '#base/lazily.js';
import type { Area } from '#kit/area.js';
import { findPupilToken } from '#kit/offers/entries.js';
import { classHuntsToken, huntsOfToken } from '#kit/offers/hunts-of.js';
import { challengesToken } from '#kit/recording/challenges.js';
import { observerToken } from '#kit/recording/exchange-record.js';
import { classCollection } from './collection.js';
import { path, teacherKeyName } from './paths.js';

const loaded = () => import('./loaded.js');

export const classesArea: Area = {
  name: 'classes',
  title: 'Classes',
  guide: 'run-a-class',
  summary: 'A class with a live board: pupils join with a code, and solve challenges.',
  front: {
    group: 'learning',
    start: '/class',
    page: { path: '/class' },
    purposes: [
      {
        purpose: 'learn',
        title: 'Class',
        says: 'A live board for teachers; pupils join with a code.',
        links: [
          ['Join or begin', '/class'],
          ['Guide', '/guides/run-a-class'],
        ],
      },
    ],
    examples: () => [
      {
        title: 'Create a class',
        method: 'POST',
        path,
        json: { name: 'Monday' },
        response: { status: 201, headers: ['Location'], has: '"joinCode"' },
      },
    ],
  },
  defaults: { isBeyondPlans: true },
  postman: [classCollection],
  securitySchemes: {
    [teacherKeyName]: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Teacher-Key',
      description: 'The key of the teacher of a class, also as a bearer token.',
    },
  },
  needs: [challengesToken, huntsOfToken, classHuntsToken],
  offers: [
    observerToken.of((services, offered) => {
      const observer = lazily(async () => (await loaded()).pupilObserver(services, offered));
      return async (sandbox, exchange) => (await observer())(sandbox, exchange);
    }),
    findPupilToken.of((services) => {
      const find = lazily(async () => (await loaded()).findPupilIn(services));
      return async (secret, moment) => (await find())(secret, moment);
    }),
  ],
  isLate: true,
  endpoints: async (services, offered) => (await loaded()).endpoints(services, offered),
};
