"""Django's settings, all derived from `studio.env`."""

import hashlib
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import django_stubs_ext

from studio.data_dir import load_secret_key, prepare_data_dir
from studio.databases import build_database
from studio.env import PROJECT_DIR, read_environment, read_variable
from studio.logging import build_logging

django_stubs_ext.monkeypatch()  # `ModelAdmin[Row]` and the like exist for the type checker only

environment = read_environment()

BASE_DIR = PROJECT_DIR
STUDIO_DATA_DIR = environment.data_dir.expanduser().resolve()
prepare_data_dir(STUDIO_DATA_DIR)

STUDIO_HOST = environment.host
STUDIO_PORT = environment.port
STUDIO_ACCOUNTS = environment.accounts
STUDIO_OWNER_NAME = "owner"
"""Username of the only person of an install without accounts."""
STUDIO_OIDC_ISSUER = environment.oidc_issuer
STUDIO_OIDC_NAME = environment.oidc_name or urlsplit(environment.oidc_issuer).hostname or ""
STUDIO_OIDC_CLIENT_ID = environment.oidc_client_id
STUDIO_OIDC_CLIENT_SECRET = environment.oidc_client_secret
STUDIO_MODEL_HOSTS = environment.model_hosts
STUDIO_MCP_SERVERS = environment.mcp_servers
STUDIO_CHROMIUM = environment.chromium
STUDIO_BROWSER_HOSTS = environment.browser_hosts
STUDIO_VLLM = environment.vllm
STUDIO_ARTEFACTS = environment.artefacts
STUDIO_LAUNCHER = environment.launcher
STUDIO_SLURM_OPTIONS = environment.slurm_options
STUDIO_SKY_TASK = environment.sky_task
STUDIO_GPUS_PER_WORKER = environment.gpus_per_worker
STUDIO_TRAIN_MEMORY_BYTES = environment.train_memory_bytes
STUDIO_STOP_GRACE_SECONDS = environment.stop_grace_seconds
STUDIO_PLUGINS = environment.plugins
STUDIO_UNWALLED_FUNCTIONS = environment.unwalled_functions
STUDIO_AGENT_CONCURRENCY = environment.agent_concurrency
STUDIO_MAX_UPLOAD_BYTES = environment.max_upload_bytes
STUDIO_SPARE_BYTES = environment.spare_bytes
STUDIO_WORKER_POOL = "threads"
"""Celery pool of the workers; see docs/adr for why the runs of a queue share one process."""
STUDIO_READ_VARIABLE = read_variable
"""Looks up the environment variable that a person named as the source of a model's key."""

SECRET_KEY = environment.secret_key or load_secret_key(STUDIO_DATA_DIR)
STUDIO_ENCRYPTION_KEY = hashlib.sha256(b"stored model keys:" + SECRET_KEY.encode()).digest()
"""32 bytes that encrypt the model keys in the database."""

DEBUG = environment.debug
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]", *environment.allowed_hosts]
if environment.host not in {*ALLOWED_HOSTS, "0.0.0.0", "::", "::1"}:  # noqa: S104
    ALLOWED_HOSTS.append(environment.host)
CSRF_TRUSTED_ORIGINS = [f"https://{host.lstrip('.')}" for host in environment.allowed_hosts]
# uvicorn reads X-Forwarded-Proto and -For, and only from these; Django sees the result.
STUDIO_TRUSTED_PROXIES = environment.trusted_proxies
STUDIO_PUBLIC_URL = (
    f"https://{environment.allowed_hosts[0].lstrip('.')}" if environment.https else ""
)
"""The address at which people reach the studio; empty: the one that it listens on."""

# Behind HTTPS no cookie is sent without it, and browsers that were here once never use plain HTTP.
SECURE_SSL_REDIRECT = SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = environment.https
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^metrics$"]  # requested on the machine itself
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if environment.https else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = environment.https

INSTALLED_APPS = [
    "studio.apps.StudioAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "channels",
    "ninja",
    "axes",
    "studio.apps.StudioConfig",
    "tapes_app",
    "optimize_app",
]
MIDDLEWARE = [
    "studio.requests.RequestsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "studio.headers.ContentSecurityPolicyMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "studio.api_errors.ApiErrorShapeMiddleware",
    "studio.database_faults.DatabaseUnavailableMiddleware",
    "axes.middleware.AxesMiddleware",
]
ROOT_URLCONF = "studio.urls"
ASGI_APPLICATION = "studio.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "studio" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

DATABASES = {"default": build_database(environment.database_url, STUDIO_DATA_DIR)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

LANGUAGE_CODE = "en-us"
TIME_ZONE = "UTC"
USE_TZ = True

# Files: the built front end and those of the admin and the API page, served by whitenoise.
FRONTEND_DIST = BASE_DIR / "frontend" / "dist"
STATIC_URL = "/static/"
STATICFILES_DIRS = [FRONTEND_DIST, BASE_DIR / "studio" / "static"]
WHITENOISE_USE_FINDERS = True
SITE_DIR = BASE_DIR / ".site"  # `make docs` builds the documentation into its folder `help`
WHITENOISE_ROOT = SITE_DIR if SITE_DIR.is_dir() else None
WHITENOISE_INDEX_FILE = True
WHITENOISE_ALLOW_ALL_ORIGINS = False
WHITENOISE_AUTOREFRESH = DEBUG
WHITENOISE_IMMUTABLE_FILE_TEST = r"^/static/assets/.+-[\w-]{8,}\.\w+$"
SILENCED_SYSTEM_CHECKS = [
    "staticfiles.W004",  # `doctor` says when the front end is not built
    "security.W021",  # the owner of a domain decides whether browsers list it as HTTPS-only
]
DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FILES = 10_000  # a folder of tapes is one upload
DATA_UPLOAD_MAX_NUMBER_FIELDS = 20_000
FILE_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
FILE_UPLOAD_PERMISSIONS = 0o600

# Sign-in and headers.
LOGIN_URL = "/login/"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/login/"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
# Guessing: after this many wrong passwords for a name from an address, that pair waits. Not for a
# name alone, or anybody could lock out anybody; not for an address alone, which an office shares.
AXES_HANDLER = "studio.lockouts.SlowingHandler"
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_LOCKOUT_CALLABLE = "studio.lockouts.answer_locked"
AXES_CLIENT_IP_CALLABLE = "studio.lockouts.client_address"
AXES_DISABLE_ACCESS_LOG = True
AXES_ENABLE_ADMIN = False  # the studio's own page shows them
AXES_VERBOSE = False
# Cookies do not separate ports: two studios on one machine must not sign each other out.
_PLACE = hashlib.sha256(str(STUDIO_DATA_DIR).encode()).hexdigest()[:8]
SESSION_COOKIE_NAME = f"studio_session_{_PLACE}"
SESSION_COOKIE_AGE = 30 * 24 * 3600
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "studio.pages.show_csrf_failure"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

# Broker: a message contains just a job id; losing one costs a sweep.
_BROKER = STUDIO_DATA_DIR / "broker"
REDIS_URL = environment.redis_url
CELERY_BROKER_URL = REDIS_URL or "filesystem://"
CELERY_BROKER_TRANSPORT = f"studio.{'redis' if REDIS_URL else 'file'}_broker:Transport"
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = (
    {"visibility_timeout": 86_400, "unacked_restore_throttle": 1}
    if REDIS_URL
    else {
        "data_folder_in": str(_BROKER / "queue"),
        "processed_folder": str(_BROKER / "done"),
        "broken_folder": str(_BROKER / "broken"),
        "control_folder": str(_BROKER / "control"),
        "polling_interval": 0.1,
    }
)
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = False
CELERY_TASK_DEFAULT_QUEUE = "agents"
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_CONSUMER = "studio.consumer:Consumer"

CHANNEL_LAYERS: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        # The client's default timeout of 5 s kills a consumer that waits for longer.
        "CONFIG": {"hosts": [{"address": REDIS_URL, "socket_timeout": None}]},
    }
    if REDIS_URL
    else {"BACKEND": "channels.layers.InMemoryChannelLayer"}
}

LOGGING_CONFIG = "logging.config.dictConfig"
LOGGING = build_logging(environment.log_level, environment.log_format)
STUDIO_LOG_FORMAT = environment.log_format
STUDIO_METRICS_TOKEN = environment.metrics_token
