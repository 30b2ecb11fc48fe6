/** Initial content of the IDE: operations that are ready to run. */

export const exampleDocument = `# Each operation is ready to run.
# Press ▶ and choose one, or press
# Ctrl+Enter with the cursor in one.
# Ctrl+Space completes what you type.

# The value of the variable is below.
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

export const exampleVariables = `{
  "id": 1,
  "region": "Europe",
  "withCurrency": true,
  "title": "Try a mutation"
}`;
