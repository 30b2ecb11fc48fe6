/** Stops a caller's bytes from acting on this origin: CSP Level 3, section 6.3.2. */
export const isolatingHeaders = {
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
} as const;
