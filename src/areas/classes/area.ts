/** Classes: a teacher sees the progress of pupils, who each have an address. */

import type { Area } from '#kit/area.js';
import { findPupilToken } from '#kit/offers/entries.js';
import { classHuntsToken, huntsOfToken } from '#kit/offers/hunts-of.js';
import { challengesToken } from '#kit/recording/challenges.js';
import { observerToken } from '#kit/recording/exchange-record.js';
import type { ClassServices } from './class-services.js';
import { classCollection } from './collection.js';
import { exportClass } from './export-class.js';
import { huntEndpoints } from './hunt-endpoints.js';
import { getMe, getRanking, join, rejoin } from './pupil-endpoints.js';
import { findPupilIn, pupilObserver } from './pupils.js';
import {
  deleteClass,
  deletePupil,
  getBoard,
  getPupil,
  getPupilRequests,
  patchClass,
  path,
  postClass,
  postMessage,
  postPupilReset,
  postReset,
  streamBoard,
  teacherKeyName,
} from './teacher-endpoints.js';

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
    observerToken.of(({ sandboxes }, offered) =>
      pupilObserver({
        owned: sandboxes.owned,
        challenges: offered.one(challengesToken),
        huntsOf: offered.one(huntsOfToken),
      }),
    ),
    findPupilToken.of(findPupilIn),
  ],
  endpoints({ runtime, limits, sandboxes }, offered) {
    const challenges = offered.one(challengesToken);
    const services: ClassServices = {
      ...runtime,
      ...limits,
      ...sandboxes,
      challenges,
      huntsOf: offered.one(huntsOfToken),
      hunts: offered.one(classHuntsToken),
    };
    const { hunts } = services;
    return [
      postClass(services),
      join(services),
      rejoin(services),
      getMe(services),
      getRanking(services),
      getBoard(services),
      patchClass(services),
      deleteClass(services),
      streamBoard(services),
      exportClass(services),
      postMessage(services),
      postReset(services),
      getPupil(services),
      deletePupil(services),
      getPupilRequests(services),
      postPupilReset(services),
      ...(hunts === undefined ? [] : huntEndpoints(services, hunts)),
    ];
  },
};
