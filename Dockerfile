# syntax=docker/dockerfile:1
# docker build -t my-app --build-arg COMMIT=$(git rev-parse HEAD) .
# The settings are environment variables, which `npm run help start` lists.
# Pin both base images for builds that can be repeated: FROM node:24-bookworm-slim@sha256:…, with the digest that
# `docker buildx imagetools inspect node:24-bookworm-slim` prints.

FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY . .
ARG COMMIT
RUN npm run image -- /image

# The build brings its own Node, so a system with glibc is all that it needs.
FROM debian:bookworm-slim
COPY --from=build /image /app
# A number, so that an orchestrator can check that it is not root.
RUN install -d -o 10001 -g 10001 -m 0700 /data
USER 10001:10001
ENV NODE_ENV=production \
    DATA_DIR=/data \
    NODE_COMPILE_CACHE=/tmp/my-app
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
  CMD ["/app/bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/health/alive`).then(r => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# The first process is Node itself: a signal to the container reaches the server.
ENTRYPOINT ["/app/bin/node", "--disable-warning=ExperimentalWarning", "/app/scripts/serve.mjs"]
