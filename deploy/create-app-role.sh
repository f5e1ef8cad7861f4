#!/bin/sh
# Run once, by the image of PostgreSQL, when its database is new: the role that Plumbline works as. It owns nothing,
# so it can't alter the activity log; migrations run as the owner.
set -eu
psql --no-psqlrc --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" \
  --set=password="$APP_PASSWORD" <<'SQL'
create role plumbline_app login password :'password';
SQL
