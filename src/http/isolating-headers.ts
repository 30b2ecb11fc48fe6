/**
 * Whoever chooses bytes that come from our origin chooses nothing that could act there. `sandbox` makes a document
 * of no origin that runs no script (CSP Level 3, section 6.3.2), and with `nosniff` the body is nothing but its
 * Content-Type.
 */
export const isolatingHeaders = {
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
} as const;
