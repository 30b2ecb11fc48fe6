/**
 * The groups of areas, by what people come for. The front page, the reference, `GET /`, `/llms.txt`, the guides and the
 * README have the areas in this order.
 */

export interface AreaGroupTitle {
  readonly name: string;
  readonly title: string;
  readonly says: string;
}

export const areaGroups = [
  {
    name: 'http',
    title: 'Learn HTTP',
    says: 'Methods, statuses, caching, cookies, redirects, TLS: see what goes over the wire.',
  },
  {
    name: 'data',
    title: 'REST and data',
    says: 'Thirteen datasets, or your own JSON: read, filter, page and write.',
  },
  {
    name: 'login',
    title: 'Log in',
    says: 'Every authentication scheme, and a complete OpenID Connect issuer.',
  },
  {
    name: 'protocols',
    title: 'GraphQL, SOAP, RPC',
    says: 'The same data by other protocols, with their own errors.',
  },
  {
    name: 'events',
    title: 'Webhooks and real time',
    says: 'Catch requests, verify signatures, follow streams and sockets.',
  },
  {
    name: 'failures',
    title: 'Failures and limits',
    says: 'Make anything slow or fail, move the clock, hit a limit: in your own sandbox.',
  },
  {
    name: 'learning',
    title: 'Solve and teach',
    says: 'Challenges that your requests solve, and bugs to find.',
  },
  {
    name: 'ai',
    title: 'AI clients',
    says: 'A server of the Model Context Protocol, and APIs of language models, which judge your client.',
  },
] as const satisfies readonly AreaGroupTitle[];

export type AreaGroup = (typeof areaGroups)[number]['name'];

interface Grouped {
  readonly front: { readonly group?: AreaGroup };
}

export interface GroupOfAreas<Member> extends AreaGroupTitle {
  readonly members: readonly Member[];
}

/** Returns the groups that have areas. An area without a group is in the last one. */
export function groupAreas<Member extends Grouped>(
  areas: readonly Member[],
): readonly GroupOfAreas<Member>[] {
  const last = areaGroups.at(-1)?.name;
  return areaGroups
    .map((group) => ({
      ...group,
      members: areas.filter(({ front }) => (front.group ?? last) === group.name),
    }))
    .filter(({ members }) => members.length > 0);
}
