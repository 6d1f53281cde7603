# shadow-ci with a JDK and Maven, from a published release that is checked by SHA-256.
#
#   docker build --build-arg VERSION=0.1.0 -t shadow-ci .
#   docker run --rm -u "$(id -u):$(id -g)" -v "$PWD:/work" -v shadow-ci:/home/shadow-ci shadow-ci HEAD~1 HEAD
FROM eclipse-temurin:21-jdk-noble
ARG VERSION
ARG SHA256=
ARG RELEASES=https://github.com/shadow-ci/shadow-ci/releases/download
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates curl git maven \
    && rm -rf /var/lib/apt/lists/*
COPY scripts/install.sh /tmp/install.sh
RUN sh /tmp/install.sh --version "${VERSION:?}" ${SHA256:+--sha256 "$SHA256"} --releases "$RELEASES" --to /opt/shadow-ci --bin /usr/local/bin \
    && rm /tmp/install.sh
# Any user may run it: caches of shadow-ci, Maven and Gradle go here. A checkout of another owner is read all the same.
RUN mkdir -m 1777 /home/shadow-ci && git config --system --add safe.directory '*'
ENV HOME=/home/shadow-ci
WORKDIR /work
ENTRYPOINT ["shadow-ci"]
CMD ["--help"]
