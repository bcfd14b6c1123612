/** Short helpers that set what the stand-in server answers. */
import { http, HttpResponse, type JsonBodyType } from "msw";

type Method = "get" | "post" | "put" | "patch" | "delete";

const at = (path: string) => `http://studio.test/api/v1${path}`;

export function answer(method: Method, path: string, body: JsonBodyType, status = 200) {
  return http[method](at(path), () => HttpResponse.json(body, { status }));
}

export function answerNothing(method: Method, path: string) {
  return http[method](at(path), () => new HttpResponse(null, { status: 204 }));
}

export function refuse(method: Method, path: string, message: string, status = 409, details = {}) {
  return answer(method, path, { code: "refused", message, details }, status);
}

/** Answer, and record the requests. */
export function record(method: Method, path: string, body: JsonBodyType, status = 200) {
  const requests: { url: URL; body: unknown; headers: Headers }[] = [];
  const handler = http[method](at(path), async ({ request }) => {
    const text = await request.clone().text();
    const isJson = request.headers.get("Content-Type")?.includes("json") === true;
    requests.push({
      url: new URL(request.url),
      body: isJson && text !== "" ? JSON.parse(text) : text,
      headers: request.headers,
    });
    if (status === 204) return new HttpResponse(null, { status });
    return HttpResponse.json(body, { status });
  });
  return { handler, requests };
}
