#!/usr/bin/env bash
# Starts the service in the background and waits until it responds. The runner stops it after the job.
set -euo pipefail
folder=$(mktemp -d "$RUNNER_TEMP/practice-api-XXXXXX")

# Splits a text into words at white space, outside quotes. Nothing is evaluated: an input may come from a pull request.
words_of() {
  if [[ $1 =~ [^[:space:]] ]]; then printf '%s' "$1" | xargs printf '%s\0'; fi
}
{
  words_of "$COMMAND"
  # Without --exit-with-stdin: the standard input of a step closes with the step.
  printf '%s\0' --port 0 --ready-file "$folder/ready.json"
  words_of "$FLAGS"
} > "$folder/words"
words=()
while IFS= read -r -d '' word; do words+=("$word"); done < "$folder/words"
"${words[@]}" > "$folder/output.txt" 2>&1 < /dev/null &

for _ in $(seq 600); do
  if [ -s "$folder/ready.json" ] || ! kill -0 $! 2> /dev/null; then break; fi
  sleep 0.1
done
if [ ! -s "$folder/ready.json" ]; then
  echo "::error::Practice API did not start: $(tr '\n' ' ' < "$folder/output.txt")"
  exit 1
fi
url=$(sed 's/.*"url":"\([^"]*\)".*/\1/' "$folder/ready.json")
echo "url=$url" >> "$GITHUB_OUTPUT"
echo "PRACTICE_API_URL=$url" >> "$GITHUB_ENV"
echo "Practice API listens on $url"
