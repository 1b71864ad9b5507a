# The web app, built as `python3 run.py start` builds it.
FROM node:22-bookworm-slim AS web
WORKDIR /build/web
COPY web/package.json web/package-lock.json web/.npmrc ./
RUN npm ci --no-audit --no-fund --ignore-scripts
COPY web ./
RUN npm run --silent build

# The locked packages, without the tools that install them.
FROM python:3.13-slim-bookworm AS packages
COPY requirements/runtime.lock /tmp/runtime.lock
RUN python -m venv --without-pip /opt/venv \
    && python -m pip --python /opt/venv/bin/python install \
       --no-cache-dir --require-hashes --only-binary :all: -r /tmp/runtime.lock

# The server without what only development needs: demo data, embedded services, the imitated
# payment provider.
FROM python:3.13-slim-bookworm AS source
COPY api /source/api
RUN cp -r /source/api /source/production && rm -r /source/production/dev

# Debian and not Alpine: the compiled packages come as glibc wheels.
FROM python:3.13-slim-bookworm AS base
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    HOST=0.0.0.0 \
    PORT=8000 \
    VAR_DIR=/srv/var \
    WEB_DIST=/srv/app/web/dist
RUN groupadd --gid 10001 fans \
    && useradd --uid 10001 --gid fans --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin fans \
    && install -d -o fans -g fans -m 0750 /srv/var /srv/backups
WORKDIR /srv/app
COPY --from=packages /opt/venv /opt/venv
COPY alembic.ini ./
COPY migrations ./migrations
COPY --from=web /build/web/dist ./web/dist
USER fans
VOLUME /srv/var
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=3s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as u; u.urlopen(f\"http://127.0.0.1:{os.environ['PORT']}/healthz\", timeout=2)"]
CMD ["python", "-m", "api.foundation.server"]

# `docker compose` builds this one: it can seed the demo data and imitate the provider.
FROM base AS development
COPY --from=source /source/api ./api

# The nightly backups, beside the servers: the only image with PostgreSQL's programs. Debian has older
# ones than the server's; PostgreSQL's own packages come by the script of postgresql-common.
FROM base AS backup
USER root
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates postgresql-common \
    && /usr/share/postgresql-common/pgdg/apt.postgresql.org.sh -y \
    && apt-get install -y --no-install-recommends postgresql-client-18 \
    && rm -rf /var/lib/apt/lists/*
USER fans
ENV BACKUP_DIR=/srv/backups
VOLUME /srv/backups
COPY --from=source /source/production ./api
HEALTHCHECK --interval=15s --timeout=3s --start-period=20s --retries=3 \
    CMD ["python", "-m", "api.foundation.jobs.heartbeat", "backup"]
CMD ["python", "-m", "api.app.backup"]

FROM base AS production
COPY --from=source /source/production ./api
