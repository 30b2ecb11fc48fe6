# The service as an image: only what it needs to run, as a user without privileges. It writes no files, unless settings name
# some, such as STATE_FILE=/app/state/state.practice with a volume at /app/state.
#
#   docker build -t practice-api .
#   docker run --rm -p 3000:3000 --read-only practice-api

FROM node:24-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json schema.graphql LICENSE ./
COPY data ./data
COPY docs ./docs
COPY scripts ./scripts
COPY pages ./pages
COPY src ./src
RUN npm run build
RUN npm prune --omit=dev --ignore-scripts

FROM node:24-slim
ENV NODE_ENV=production
ENV HOST=0.0.0.0
WORKDIR /app
COPY --from=build /build/package.json /build/schema.graphql /build/LICENSE ./
COPY --from=build /build/node_modules ./node_modules
COPY --from=build /build/data ./data
COPY --from=build /build/dist ./dist
# A new volume gets the mode of the folder.
RUN mkdir -m 777 state
# The image's user "node", as a number: Kubernetes cannot tell whether a name is root's.
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
  CMD ["node", "dist/health-check.js"]
# Node itself is the first process, so that signals reach it.
ENTRYPOINT ["node", "dist/main.js"]
