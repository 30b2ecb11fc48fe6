/** The part of the area that its first request loads. */

import type { Endpoint } from '#kit/endpoint.js';
import { classHuntsToken, huntsOfToken } from '#kit/offers/hunts-of.js';
import type { Offered } from '#kit/offers/offers.js';
import { challengesToken } from '#kit/recording/challenges.js';
import type { Observer } from '#kit/recording/exchange-record.js';
import type { Services } from '#kit/services.js';
import type { ClassServices } from './class-services.js';
import { exportClass } from './endpoints/export-class.js';
import { huntEndpoints } from './endpoints/hunt-endpoints.js';
import { getMe, getRanking, join, rejoin } from './endpoints/pupil-endpoints.js';
import {
  deleteClass,
  deletePupil,
  getBoard,
  getPupil,
  getPupilRequests,
  patchClass,
  postClass,
  postMessage,
  postPupilReset,
  postReset,
  streamBoard,
} from './endpoints/teacher-endpoints.js';
import { observePupil } from './pupils.js';

export { findPupilIn } from './pupils.js';

export async function pupilObserver(
  { sandboxes: { owned } }: Services,
  offered: Offered,
): Promise<Observer> {
  const [challenges, huntsOf] = await Promise.all([
    offered.one(challengesToken),
    offered.one(huntsOfToken),
  ]);
  return observePupil({ owned, challenges, huntsOf });
}

export async function endpoints(
  { runtime, limits, sandboxes }: Services,
  offered: Offered,
): Promise<readonly Endpoint[]> {
  const [challenges, huntsOf, hunts] = await Promise.all([
    offered.one(challengesToken),
    offered.one(huntsOfToken),
    offered.one(classHuntsToken),
  ]);
  const services: ClassServices = {
    ...runtime,
    ...limits,
    ...sandboxes,
    ...{ challenges, huntsOf, hunts },
  };
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
}
