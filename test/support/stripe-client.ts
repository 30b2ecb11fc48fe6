/** Makes clients of the published SDK of Stripe. */

import Stripe from 'stripe';

/** `sandbox` is named by the key. */
export function clientOf(
  service: { readonly url: string },
  sandbox: string,
  options: Partial<Stripe.StripeConfig> = {},
): Stripe {
  let made: Stripe | undefined;
  const client = () => {
    const { hostname: host, port } = new URL(service.url);
    made ??= new Stripe(`sk_test_${sandbox}`, {
      ...{ host, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false },
      ...options,
    });
    return made;
  };
  // The service starts after the file is loaded.
  return new Proxy({} as Stripe, { get: (_target, name) => Reflect.get(client(), name) });
}
