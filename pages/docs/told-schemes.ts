/** Authentication schemes in forms that the viewer supports, each with a link to its guide. */

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
 * Replaces Digest by Basic, which has the same fields, because the viewer does not support Digest.
 * A login at the issuer would redirect to an unregistered URL, so the page asks the visitor to
 * enter a token.
 */
function askable(scheme: SecurityScheme): SecurityScheme {
  if (scheme.scheme === 'digest') return { ...scheme, scheme: 'basic' };
  if (scheme.type === 'oauth2' && !('clientCredentials' in (scheme.flows ?? {}))) {
    const { description = '' } = scheme;
    return {
      type: 'http',
      scheme: 'bearer',
      description: `The access token of a login. ${description}`,
    };
  }
  return scheme;
}
