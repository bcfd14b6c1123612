import { http, HttpResponse } from "msw";
import { expect, test } from "vitest";

import { ApiError, client, describeError, unwrap } from "@/api/client";
import { fieldProblems } from "@/api/problems";
import { useConnection } from "@/lib/connection";
import { stayInProject } from "@/lib/project";
import { answer, record, refuse } from "@/testing/answers";
import { server } from "@/testing/server";

const getModels = () => unwrap(client.GET("/api/v1/models"));

test("a refusal becomes an error with the server's code and sentence", async () => {
  server.use(refuse("get", "/models", "Ask an owner for more.", 403, { role: "viewer" }));

  const error: unknown = await getModels().catch((reason: unknown) => reason);

  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ code: "refused", status: 403, details: { role: "viewer" } });
  expect(describeError(error)).toBe("Ask an owner for more.");
});

test("an answer that is no JSON error still says its status", async () => {
  server.use(
    http.get("http://studio.test/api/v1/models", () => HttpResponse.text("oh", { status: 502 })),
  );

  await expect(getModels()).rejects.toThrow("The server responded with status 502.");
});

test("a server out of reach is told to the shell, until it answers again", async () => {
  server.use(http.get("http://studio.test/api/v1/models", () => HttpResponse.error()));
  await expect(getModels()).rejects.toThrow("Cannot reach the server");
  expect(useConnection.getState().lost.has("http")).toBe(true);

  server.use(answer("get", "/models", []));
  await getModels();

  expect(useConnection.getState().lost.has("http")).toBe(false);
});

test("writing carries the CSRF token, and every request the chosen project", async () => {
  document.cookie = "csrftoken=abc";
  stayInProject("p1");
  const { handler, requests } = record("post", "/jobs/j1/cancel", {});
  server.use(handler);

  await unwrap(client.POST("/api/v1/jobs/{job_id}/cancel", { params: { path: { job_id: "j1" } } }));

  expect(requests[0]?.headers.get("X-CSRFToken")).toBe("abc");
  expect(requests[0]?.headers.get("X-Project")).toBe("p1");
});

test("being signed out is told to the shell", async () => {
  server.use(refuse("get", "/models", "You are not signed in.", 401));

  await expect(getModels()).rejects.toThrow("not signed in");

  expect(useConnection.getState().isSignedOut).toBe(true);
  useConnection.setState({ isSignedOut: false });
});

test("problems of a request are found by field", () => {
  const error = new ApiError("request_invalid", "No.", 422, {
    problems: [{ where: "body.body.name", message: "Too long." }],
  });

  expect(fieldProblems(error)).toEqual({ name: "Too long." });
  expect(fieldProblems(new Error("x"))).toEqual({});
});

test("what was asked for before the page was there is taken once", async () => {
  const { handler, requests } = record("get", "/session", { name: "asked now" });
  server.use(handler);
  const early = Response.json({ name: "asked early" });
  window.earlyAnswers = new Map([["http://studio.test/api/v1/session", Promise.resolve(early)]]);

  const first = await unwrap(client.GET("/api/v1/session"));
  const second = await unwrap(client.GET("/api/v1/session"));

  expect([first, second]).toEqual([{ name: "asked early" }, { name: "asked now" }]);
  expect(requests).toHaveLength(1);
});

test("a request that the page gave up is no lost connection", async () => {
  server.use(answer("get", "/models", []));
  const stop = new AbortController();

  const asked = client.GET("/api/v1/models", { signal: stop.signal });
  stop.abort();

  await expect(asked).rejects.toMatchObject({ name: "AbortError" });
  expect(useConnection.getState().lost.has("http")).toBe(false);
});
