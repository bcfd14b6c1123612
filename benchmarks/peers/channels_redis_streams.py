"""The peer of claim 8: tokens through channels_redis pub/sub groups to websockets.

`serve PORT REDIS` is the web process, `produce REDIS BEGIN SECONDS STREAMS RATE` the worker.
"""

import asyncio
import json
import resource
import sys
import time

import django
from django.conf import settings

FLUSH_SECONDS = 0.033


def configure(redis_url: str) -> None:
    layer = {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [{"address": redis_url, "socket_timeout": None}]},
    }
    settings.configure(CHANNEL_LAYERS={"default": layer}, SECRET_KEY="peer", INSTALLED_APPS=[])
    django.setup()


def serve(port: str, redis_url: str) -> None:
    configure(redis_url)
    import uvicorn
    from channels.generic.websocket import AsyncWebsocketConsumer
    from channels.routing import URLRouter
    from django.urls import path

    class StreamConsumer(AsyncWebsocketConsumer):
        async def connect(self) -> None:
            self.group = f"stream-{self.scope['url_route']['kwargs']['number']}"
            await self.channel_layer.group_add(self.group, self.channel_name)
            await self.accept()

        async def disconnect(self, code: int) -> None:
            await self.channel_layer.group_discard(self.group, self.channel_name)

        async def stream_delta(self, event: dict) -> None:
            await self.send(text_data=json.dumps(event["frame"]))

    application = URLRouter([path("ws/jobs/<int:number>", StreamConsumer.as_asgi())])
    uvicorn.run(application, port=int(port), lifespan="off", log_level="error")


async def produce(begin: float, seconds: float, streams: int, rate: int) -> None:
    from channels.layers import get_channel_layer

    layer = get_channel_layer()
    sent, total = 0, int(seconds * rate)
    while sent < total:
        due = min(total, int((time.monotonic() - begin) * rate))
        if due > sent:
            text = "".join(f"{begin + number / rate:.6f} " for number in range(sent, due))
            for number in range(streams):
                frame = {"seq": sent + 1, "type": "step.delta", "prompt_id": "p", "text": text}
                event = {"type": "stream.delta", "frame": frame}
                await layer.group_send(f"stream-{number}", event)
            sent = due
        await asyncio.sleep(FLUSH_SECONDS)


def main() -> None:
    if sys.argv[1] == "serve":
        serve(*sys.argv[2:])
        return
    redis_url, begin, seconds, streams, rate = sys.argv[2:]
    configure(redis_url)
    asyncio.run(produce(float(begin), float(seconds), int(streams), int(rate)))
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps({"cpu_seconds": used.ru_utime + used.ru_stime}))


if __name__ == "__main__":
    main()
