"""Websocket consumers: they parse, call one function and answer."""
