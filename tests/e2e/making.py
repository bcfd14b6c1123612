"""Tapes made over HTTP in the browser's own session: what a story needs before it begins."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Page, expect

from tests.waiting import wait_until


class Maker:
    """Asks the API as the signed-in person of a page."""

    def __init__(self, page: Page) -> None:
        self._page = page
        if "csrftoken" not in self._cookies():
            page.goto("/")

    def get(self, path: str) -> Any:
        return self._page.request.get(f"/api/v1/{path}").json()

    def wait_for(self, path: str, is_there: Callable[[Any], bool]) -> Any:
        """Ask until the answer is as wanted. A page can't: it does not await a predicate."""
        wait_until(lambda: is_there(self.get(path)), path, pause_seconds=0.2)
        return self.get(path)

    def send(self, method: str, path: str, body: Any = None) -> Any:
        headers = {"X-CSRFToken": self._cookies()["csrftoken"]}
        answer = self._page.request.fetch(
            f"/api/v1/{path}", method=method, data=body, headers=headers
        )
        assert answer.ok, f"{method} {path}: {answer.status} {answer.text()}"
        return answer.json() if answer.status != 204 else None

    def sample(self, title: str) -> str:
        """Return the id of the oldest sample tape whose title begins so."""
        asked = urlencode({"q": f'title:"{title}"', "sort": "created", "limit": 200})
        rows = self.get(f"tapes?{asked}")["items"]
        return str(next(row["id"] for row in rows if row["title"].startswith(title)))

    def copy(self, title: str) -> str:
        """Return a tape of one's own with all steps of a sample tape."""
        copied = self.send("POST", f"tapes/{self.sample(title)}/fork", {"at": None})
        return str(copied["tape_id"])

    def told(self, agent: str, message: str) -> str:
        """Return a tape without relatives: what a sample agent answers, and its run ended."""
        made = self._ask(agent, message)
        self._page.goto(f"/t/{made['tape_id']}")
        expect(self._page.get_by_label("The agent is waiting for your answer")).to_be_visible()
        self.send("POST", f"jobs/{made['job_id']}/cancel")
        return str(made["tape_id"])

    def asked(self, agent: str, message: str, **options: Any) -> str:
        """Return the tape of a run by a sample agent, which has just been started."""
        return str(self._ask(agent, message, **options)["tape_id"])

    def _ask(self, agent: str, message: str, **options: Any) -> Any:
        asked = {"agent_version_id": self._version_of(agent), "message": message, **options}
        return self.send("POST", "tapes", asked)

    def _version_of(self, agent: str) -> str:
        """Return the newest version of a sample agent, which is stored if it is not yet."""
        for found in self.get("agents"):
            if found["name"] == agent:
                return str(self.get(f"agents/{found['id']}")["versions"][0]["id"])
        (spec,) = [one["spec"] for one in self.get("gallery") if one["name"] == agent]
        return str(self.send("POST", "agents", {"spec": spec})["latest_version_id"])

    def versions(self, name: str) -> str:
        """Return an agent of a name with two versions; it is made when there is none."""
        agents = self.get("agents")
        if found := [str(one["id"]) for one in agents if one["name"] == name]:
            return found[0]
        (gallery, *_) = self.get("gallery")
        spec = {**gallery["spec"], "name": name}
        made = self.send("POST", "agents", {"spec": spec})
        told = {**spec["templates"], "tone": "Say it in few words."}
        later = {**spec, "templates": told, "description": spec["description"] + " In short."}
        self.send("POST", f"agents/{made['id']}/versions", {"spec": later})
        return str(made["id"])

    def edited(self, tape: str, position: int, text: str) -> str:
        """Return a branch in which one step says something else."""
        step = {"kind": "assistant", "content": text}
        operation = {"op": "replace", "position": position, "step": step}
        version = self.get(f"tapes/{tape}/draft")["version"]
        draft = {"version": version, "operations": [operation], "applied_count": 1}
        self.send("PUT", f"tapes/{tape}/draft", draft)
        return str(self.send("POST", f"tapes/{tape}/save")["tape_id"])

    def queue(self, name: str, tapes: list[str]) -> str:
        """Return the GREADTH queue of a name; it is made with these tapes when there is none."""
        for found in self.get("queues?limit=200")["items"]:
            if found["name"] == name:
                return str(found["id"])
        targets = [{"tape_id": tape} for tape in tapes]
        body = {"name": name, "preset": "GREADTH", "targets": targets}
        return str(self.send("POST", "queues", body)["id"])

    def dataset(self, name: str, tapes: list[str]) -> str:
        """Return the dataset of a name; it is made with these tapes when there is none."""
        for found in self.get("datasets/names"):
            if found["name"] == name:
                return str(found["id"])
        body = {"name": name, "description": "Made.", "selection": {"tape_ids": tapes}}
        return str(self.send("POST", "datasets", body)["id"])

    def _cookies(self) -> dict[str, str]:
        cookies = self._page.context.cookies()
        return {str(cookie.get("name")): str(cookie.get("value")) for cookie in cookies}
