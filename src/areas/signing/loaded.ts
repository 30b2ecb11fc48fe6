/** The part of the area that its first request loads. */

import { listSamples, readSample, sign, verify } from './endpoints.js';

export { deliveriesJudge } from './delivery-judge.js';
export { judgeDelivery } from './verify-delivery.js';

export const endpoints = [listSamples, readSample, sign, verify];
