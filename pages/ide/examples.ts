/** Examples of the IDE, which are ready to run; the first is its initial content. */

/** Operations, each with its comment. */
export const exampleDocument = `# Press ▶ to run it.
# $id is set below.
query BookById($id: Int!) {
  book(id: $id) {
    title
    author
    publishedYear
    tags
  }
}

# Aliases select a field twice,
# a fragment names its fields once.
query CompareBooks {
  first: book(id: 1) {
    ...BookFacts
  }
  second: book(id: 2) {
    ...BookFacts
  }
}

fragment BookFacts on Book {
  title
  author
  pages
  rating
}

# An argument filters the list;
# @include keeps a field or drops it.
query CountriesOf($region: String, $withCurrency: Boolean = true) {
  countries(region: $region) {
    flag
    name
    capital
    currency @include(if: $withCurrency) {
      code
      symbol
    }
  }
}

# A mutation changes the data:
# run Todos after it to see.
mutation AddTodo($title: String!) {
  addTodo(title: $title, userId: 1, priority: "high") {
    id
    title
    completed
    dueDate
  }
}

query Todos {
  todos(completed: false) {
    id
    title
    priority
  }
}

# A subscription runs until you stop it.
# TodoChanges shows what AddTodo does in
# another tab.
subscription Countdown {
  countdown(from: 10)
}

subscription TodoChanges {
  todoChanged {
    kind
    todo {
      id
      title
    }
  }
}
`;

export const exampleVariables = {
  id: 1,
  region: 'Europe',
  withCurrency: true,
  title: 'Try a mutation',
} as const;

export const examples: readonly string[] = exampleDocument
  .split(/\n\n(?=#)/)
  .map((text) => `${text.trim()}\n`);

/** Returns the variables that an example uses, as JSON; an empty text if it uses none. */
export function variablesOf(text: string): string {
  const values = Object.entries(exampleVariables);
  const used = values.filter(([name]) => new RegExp(`\\$${name}\\b`).test(text));
  return used.length === 0 ? '' : JSON.stringify(Object.fromEntries(used), null, 2);
}
