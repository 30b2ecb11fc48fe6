/** Requests about subscriptions and deliveries in collections. */

import { member, type RequestCollection } from '#kit/request-collection.js';

const subscription = { path: { id: '{{subscriptionId}}' } };
const delivery = { path: { id: '{{subscriptionId}}', delivery: '{{deliveryId}}' } };

const noReceiver = 'A run needs a receiver for its deliveries.';

export const deliveriesCollection: RequestCollection = {
  adaptations: {
    postWebhooksSubscriptions: { keeps: { subscriptionId: member('id') } },
    getWebhooksSubscriptionsById: subscription,
    patchWebhooksSubscriptionsById: subscription,
    deleteWebhooksSubscriptionsById: subscription,
    postWebhooksSubscriptionsByIdSecret: subscription,
    postWebhooksSubscriptionsByIdTest: { ...subscription, keeps: { deliveryId: member('id') } },
    postWebhooksSubscriptionsByIdReplay: subscription,
    getWebhooksSubscriptionsByIdDeliveries: subscription,
    getWebhooksSubscriptionsByIdDeliveriesByDelivery: delivery,
    postWebhooksSubscriptionsByIdDeliveriesByDeliveryRedeliver: delivery,
  },
  endings: [
    'postWebhooksSubscriptionsByIdDeliveriesByDeliveryRedeliver',
    'deleteWebhooksSubscriptionsById',
  ],
  leftOut: {
    getWebhooksSubscriptionsByIdDeliveriesStream:
      'Its response does not end while the client listens, but a collection waits for the end.',
    postWebhooksSubscriptionsByIdDeliveriesByDeliveryAttempts:
      'It reports an attempt that a program has made.',
    postWebhooksReceiverPlanRuns: noReceiver,
    getWebhooksReceiverPlanRunsByRun: noReceiver,
    putWebhooksReceiverPlanRunsByRunByCase: noReceiver,
  },
};
