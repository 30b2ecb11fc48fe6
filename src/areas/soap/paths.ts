/** The paths of the services. */

export const paths = {
  calculator: '/api/soap/calculator',
  countries: '/api/soap/countries',
  secure: '/api/soap/secure',
} as const;
