/** The path of the API. */

export const path = '/graphql';
