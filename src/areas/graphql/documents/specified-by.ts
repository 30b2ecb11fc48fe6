/** The address of a section of the GraphQL specification that an error refers to. */
export function specifiedBy(section: string): string {
  return `https://spec.graphql.org/October2021/#sec-${section}`;
}
