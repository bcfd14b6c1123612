/** Creates a dataset, or changes the name and the description of one. */
import { Alert, Button, Drawer, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";

import { describeError } from "@/api/client";
import { useSaveDataset } from "@/api/datasets";
import type { Dataset } from "@/api/types";

interface DatasetDrawerProps {
  /** `null` for a new dataset. */
  dataset: Dataset | null;
  isOpen: boolean;
  onClose: () => void;
}

export function DatasetDrawer({ dataset, isOpen, onClose }: DatasetDrawerProps) {
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="right"
      size={440}
      transitionProps={{ duration: 150, exitDuration: 0 }}
      title={dataset === null ? "Create a dataset" : "Edit the dataset"}
    >
      <DatasetForm dataset={dataset} onDone={onClose} />
    </Drawer>
  );
}

function DatasetForm({ dataset, onDone }: { dataset: Dataset | null; onDone: () => void }) {
  const [name, setName] = useState(dataset?.name ?? "");
  const [description, setDescription] = useState(dataset?.description ?? "");
  const save = useSaveDataset(dataset);
  const isReady = name.trim() !== "";
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) save.mutate({ name: name.trim(), description }, { onSuccess: onDone });
      }}
    >
      <Stack gap={12}>
        <TextInput
          label="Name"
          data-autofocus
          maxLength={200}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Textarea
          label="Description"
          autosize
          minRows={3}
          maxRows={12}
          maxLength={5000}
          value={description}
          onChange={({ currentTarget }) => setDescription(currentTarget.value)}
        />
        {dataset === null && (
          <Text size="xs" c="dimmed">
            To add tapes, select them in the list and choose “Add to dataset”.
          </Text>
        )}
        {save.isError && (
          <Alert color="red" role="alert" title="The dataset was not saved">
            {describeError(save.error)}
          </Alert>
        )}
        <Button type="submit" disabled={!isReady} loading={save.isPending}>
          {dataset === null ? "Create dataset" : "Save"}
        </Button>
      </Stack>
    </form>
  );
}
