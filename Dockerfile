# A server of hybridsem: docs/serving.md
FROM python:3.11-slim

WORKDIR /src
COPY pyproject.toml README.md LICENSE NOTICE constraints.txt ./
COPY LICENSES LICENSES
COPY hybridsem hybridsem
RUN PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt pip install --no-cache-dir '.[serve]' \
    && rm -rf /src/*

WORKDIR /
RUN useradd --system --create-home hybridsem
USER hybridsem
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/health', timeout=5)"]
ENTRYPOINT ["hybridsem", "serve", "--host", "0.0.0.0", "--port", "8000"]
