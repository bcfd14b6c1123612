/** Publishes a version, says what that replaced, and offers to publish the former one again. */
import { notifications } from "@mantine/notifications";

import { usePublish } from "@/api/publishing";
import { showFailure } from "@/api/showFailure";
import type { AgentRow } from "@/api/types";
import { offerUndo } from "@/ui/undoToast";

export interface Numbered {
  id: string;
  number: number;
}

type Published = Pick<AgentRow, "id" | "published_version" | "default_version_id">;

/** The published version of an agent, if there is one. */
export function publishedOf(agent: Published): Numbered | undefined {
  const { published_version: number, default_version_id: id } = agent;
  return number === null ? undefined : { id, number };
}

export function isBack({ published_version: published }: Published, { number }: Numbered): boolean {
  return published !== null && number < published;
}

/** What publishing a version is called: an earlier one than the published one is rolled back to. */
export function wordsFor(agent: Published, version: Numbered): string {
  return `${isBack(agent, version) ? "Roll back to" : "Publish"} v${version.number}`;
}

export function usePublishing(agent: Published) {
  const publish = usePublish(agent.id);

  function announce(now: Numbered, before: Numbered | undefined) {
    if (before === undefined) {
      notifications.show({ message: `v${now.number} is published.` });
      return;
    }
    offerUndo(`v${now.number} is published instead of v${before.number}`, () => {
      publish.mutateAsync({ version_id: before.id, anyway: false }).then(
        () => announce(before, now),
        (error: unknown) => showFailure(`v${before.number} was not published again`, error),
      );
    });
  }

  /** Rejects if it was refused; `error` says why. */
  async function send(version: Numbered, anyway = false): Promise<void> {
    const before = publishedOf(agent);
    await publish.mutateAsync({ version_id: version.id, anyway });
    announce(version, before);
  }

  return { send, isPending: publish.isPending, error: publish.error };
}
