import { Button, Group, Modal, Stack, Switch, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { describeError } from "@/api/client";
import { createLens, lensKeys } from "@/api/lenses";
import type { Lens as StoredLens } from "@/api/types";
import { toStored, type LensView } from "@/features/tapes/lenses/lenses";

interface SaveLensDialogProps {
  isOpen: boolean;
  /** People who can only view the project save lenses for themselves. */
  canShare: boolean;
  look: LensView;
  onClose: () => void;
  onSaved: (lens: StoredLens) => void;
}

/** Saves the current query, order, columns and marks under a name. */
export function SaveLensDialog({ isOpen, onClose, ...rest }: SaveLensDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Save as a lens" size={420}>
      <SaveLensForm {...rest} onClose={onClose} />
    </Modal>
  );
}

function SaveLensForm({ canShare, look, onClose, onSaved }: Omit<SaveLensDialogProps, "isOpen">) {
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [isShared, setShared] = useState(false);
  const save = useMutation({
    mutationFn: () => createLens({ name: name.trim(), is_shared: isShared, look: toStored(look) }),
    onSuccess: async (saved) => {
      // Refetch the list first: the address will name the lens, and opening it looks it up there.
      await client.invalidateQueries({ queryKey: lensKeys.all });
      onSaved(saved);
      onClose();
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Stack gap={12}>
        <TextInput
          label="Name"
          data-autofocus
          value={name}
          maxLength={100}
          error={save.isError && describeError(save.error)}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {canShare && (
          <Switch
            label="Share with the project"
            description="Everybody in the project can see it; you can stop sharing at any time."
            checked={isShared}
            onChange={(event) => setShared(event.currentTarget.checked)}
          />
        )}
        <Group justify="flex-end" gap={8}>
          <Button variant="subtle" color="gray" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={name.trim() === ""} loading={save.isPending}>
            Save the lens
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
