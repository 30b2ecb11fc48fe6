/** The part of the area that its first request loads. */

import type { Endpoint } from '#kit/endpoint.js';
import type { Services } from '#kit/services.js';
import { deliveryEndpoints } from './endpoints/delivery-endpoints.js';
import { lastEndpoints, subscriptionEndpoints } from './endpoints/subscription-endpoints.js';
import { receiverPlan } from './plan/plan-endpoints.js';

export { subscriptionSteering } from './model/subscriptions.js';
export { receiverJudge } from './plan/plan-endpoints.js';

export const endpoints = (services: Services): readonly Endpoint[] => [
  ...subscriptionEndpoints,
  ...deliveryEndpoints(services),
  ...receiverPlan,
  ...lastEndpoints,
];
