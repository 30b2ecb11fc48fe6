/** The schemes of authentication as the viewer can ask for them, each with a way to its guide. */

import { type Description, isSecuredBy, operationsOf, type SecurityScheme } from './description.js';

export function schemesToldToViewer(description: Description): Record<string, SecurityScheme> {
  const operations = operationsOf(description);
  const schemes = Object.entries(description.components.securitySchemes);
  return Object.fromEntries(
    schemes.map(([name, scheme]) => {
      const guide = operations.find((each) => isSecuredBy(each, name))?.externalDocs?.url;
      const told = askable(scheme);
      const says = [told.description, guide && `[The guide](${guide}) shows how to use it.`];
      return [name, { ...told, description: says.filter(Boolean).join(' ') }];
    }),
  );
}

/**
 * The viewer has no Digest, but what asks for the same: a name and a password. A login at the issuer would have to come
 * back to an address that its clients have not registered, so its token is asked for.
 */
function askable(scheme: SecurityScheme): SecurityScheme {
  if (scheme.scheme === 'digest') return { ...scheme, scheme: 'basic' };
  if (scheme.type === 'oauth2' && !('clientCredentials' in (scheme.flows ?? {}))) {
    const { description = '' } = scheme;
    return {
      type: 'http',
      scheme: 'bearer',
      description: `The access token that a login gives. ${description}`,
    };
  }
  return scheme;
}
