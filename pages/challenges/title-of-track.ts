/** Titles of the tracks of challenges. */

/** Titles that are not the name with a capital. */
const titles: Readonly<Record<string, string>> = {
  http: 'HTTP',
  rest: 'REST',
  oidc: 'OpenID Connect',
  graphql: 'GraphQL',
  grpc: 'gRPC',
  soap: 'SOAP',
};

export const titleOfTrack = (track: string) =>
  titles[track] ?? `${track.slice(0, 1).toUpperCase()}${track.slice(1)}`;
