/**
 * The sample deliveries: one per provider, with a fixed body in the shape, and the white space, that
 * the provider sends.
 */

import type { SchemeName } from './sign-delivery.js';

export type Provider = Exclude<SchemeName, 'standard-webhooks'>;

export interface Sample {
  readonly eventType: string;
  /** As the provider writes it. */
  readonly signatureHeader: string;
  /** The exact bytes that are signed. */
  readonly body: Buffer;
  /** What the provider sends beside the signature. */
  readonly headers: Readonly<Record<string, string>>;
}

const paymentSucceeded = {
  id: 'evt_3PracticeApi0000001',
  object: 'event',
  api_version: '2024-06-20',
  created: 1718000000,
  data: {
    object: {
      id: 'pi_3PracticeApi0000001',
      object: 'payment_intent',
      amount: 4200,
      amount_capturable: 0,
      amount_received: 4200,
      capture_method: 'automatic',
      created: 1717999990,
      currency: 'eur',
      customer: 'cus_PracticeApi001',
      description: 'Order 1001: two notebooks, one café mug',
      latest_charge: 'ch_3PracticeApi0000001',
      livemode: false,
      metadata: { order_id: '1001' },
      payment_method: 'pm_1PracticeApi0000001',
      payment_method_types: ['card'],
      receipt_email: 'ada@example.com',
      status: 'succeeded',
    },
  },
  livemode: false,
  pending_webhooks: 1,
  request: {
    id: 'req_PracticeApi001',
    idempotency_key: '0f9b6c9e-2c1e-4a53-9a5f-5b1d3a7f0c11',
  },
  type: 'payment_intent.succeeded',
};

const author = { name: 'Grace Example', email: 'grace@example.com', username: 'grace-example' };
const headCommit = {
  id: '9c1f2d7ab0f54e0c8d1a6b3e5f7a9c2d4e6f8a0b',
  tree_id: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  distinct: true,
  message: 'Verify signatures before parsing\n\nThe raw bytes are what was signed.',
  timestamp: '2024-06-10T08:13:20+02:00',
  url: 'https://github.example/example-org/webhook-receiver/commit/9c1f2d7ab0f54e0c8d1a6b3e5f7a9c2d4e6f8a0b',
  author,
  committer: author,
  added: ['src/verify.js'],
  removed: [],
  modified: ['src/server.js'],
};

const push = {
  ref: 'refs/heads/main',
  before: '6dcb09b5b57875f334f61aebed695e2e4193db5e',
  after: headCommit.id,
  repository: {
    id: 81000001,
    node_id: 'R_kgDOBNPracticeApi',
    name: 'webhook-receiver',
    full_name: 'example-org/webhook-receiver',
    private: false,
    owner: { name: 'example-org', login: 'example-org', id: 9100001, type: 'Organization' },
    html_url: 'https://github.example/example-org/webhook-receiver',
    default_branch: 'main',
  },
  pusher: { name: 'grace-example', email: 'grace@example.com' },
  sender: { login: 'grace-example', id: 9200001, type: 'User', site_admin: false },
  created: false,
  deleted: false,
  forced: false,
  base_ref: null,
  compare:
    'https://github.example/example-org/webhook-receiver/compare/6dcb09b5b578...9c1f2d7ab0f5',
  commits: [headCommit],
  head_commit: headCommit,
};

const orderCreated = {
  id: 5012300450001,
  admin_graphql_api_id: 'gid://shopify/Order/5012300450001',
  created_at: '2024-06-10T08:13:20+02:00',
  currency: 'EUR',
  current_total_price: '42.00',
  customer: {
    id: 7123004500012,
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Example',
  },
  email: 'ada@example.com',
  financial_status: 'paid',
  line_items: [
    {
      id: 9123004500013,
      name: 'Dotted notebook',
      price: '14.50',
      quantity: 2,
      sku: 'NOTE-DOT-A5',
      vendor: 'Practice Paper',
    },
    {
      id: 9123004500014,
      name: 'Café mug',
      price: '13.00',
      quantity: 1,
      sku: 'MUG-CAFE',
      vendor: 'Practice Paper',
    },
  ],
  name: '#1001',
  order_number: 1001,
  total_price: '42.00',
  total_tax: '6.71',
};

export const samples: Readonly<Record<Provider, Sample>> = {
  stripe: {
    eventType: paymentSucceeded.type,
    signatureHeader: 'Stripe-Signature',
    body: Buffer.from(JSON.stringify(paymentSucceeded, null, 2)),
    headers: {},
  },
  github: {
    eventType: 'push',
    signatureHeader: 'X-Hub-Signature-256',
    body: Buffer.from(JSON.stringify(push)),
    headers: {
      'X-GitHub-Event': 'push',
      'X-GitHub-Delivery': '72d3162e-cc78-11ef-81ab-4c9367dc0958',
      'X-GitHub-Hook-ID': '292430182',
    },
  },
  shopify: {
    eventType: 'orders/create',
    signatureHeader: 'X-Shopify-Hmac-Sha256',
    body: Buffer.from(JSON.stringify(orderCreated)),
    headers: {
      'X-Shopify-Topic': 'orders/create',
      'X-Shopify-Shop-Domain': 'practice-paper.myshopify.com',
      'X-Shopify-API-Version': '2024-07',
      'X-Shopify-Webhook-Id': 'b54557e4-bdd9-4b37-8a5f-bf7d70bcd043',
    },
  },
};

export const providers = Object.keys(samples) as readonly Provider[];

export const sampleContentType = 'application/json; charset=utf-8';
