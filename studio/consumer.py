"""The consumer of a worker: Celery's, which ends at some messages that are not tasks."""

import logging
from collections.abc import Callable
from typing import Any

from celery.worker import consumer

logger = logging.getLogger(__name__)


class Consumer(consumer.Consumer):
    """Named by the setting CELERY_WORKER_CONSUMER."""

    def create_task_handler(self, *arguments: Any, **options: Any) -> Callable[[Any], None]:
        receive = super().create_task_handler(*arguments, **options)

        def receive_or_drop(message: Any) -> None:
            try:
                receive(message)
            except (AttributeError, LookupError, TypeError, ValueError) as error:
                logger.warning("A message is not a task and is dropped: %.200r", error)
                if not message.acknowledged:
                    message.reject()

        return receive_or_drop
