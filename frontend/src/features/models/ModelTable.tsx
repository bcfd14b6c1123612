import { ActionIcon, Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { IconPencil, IconTrash } from "@tabler/icons-react";

import { useCanWrite } from "@/api/session";
import { ForWriters } from "@/api/ForWriters";
import { deleteModel, modelKeys, testModel } from "@/api/models";
import { showFailure } from "@/api/showFailure";
import type { Model } from "@/api/types";
import { TestResult } from "@/features/models/TestResult";
import classes from "@/features/models/Models.module.css";
import { PRICE_FIELDS } from "@/features/models/modelForm";
import { dollars } from "@/lib/money";
import { ConfirmButton } from "@/ui/ConfirmButton";
import { PlainTable } from "@/ui/PlainTable";

interface ModelTableProps {
  models: readonly Model[];
  onEdit: (id: string) => void;
}

export function ModelTable({ models, onEdit }: ModelTableProps) {
  return (
    <PlainTable aria-label="Models" ends="page">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Model</th>
          <th scope="col" data-hide>
            Base URL
          </th>
          <th scope="col">Key</th>
          {PRICE_FIELDS.map(({ name, label }) => (
            <th
              key={name}
              scope="col"
              data-align="end"
              data-hide
              title="Dollars per million tokens"
            >
              {label} $/M
            </th>
          ))}
          <th scope="col">
            <span className="ts-visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      {models.map((model) => (
        <ModelRows key={model.id} model={model} onEdit={() => onEdit(model.id)} />
      ))}
    </PlainTable>
  );
}

function ModelRows({ model, onEdit }: { model: Model; onEdit: () => void }) {
  const queryClient = useQueryClient();
  const test = useMutation({ mutationFn: () => testModel(model.id) });
  const remove = useMutation({
    mutationFn: () => deleteModel(model.id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: modelKeys.all }),
    onError: (error) => showFailure("The model was not deleted", error),
  });
  const canWrite = useCanWrite();
  return (
    <tbody>
      <tr>
        <td>
          {canWrite ? (
            <button type="button" className={classes.name} onClick={onEdit}>
              {model.name}
            </button>
          ) : (
            model.name
          )}
        </td>
        <td className="ts-mono">{model.litellm_model}</td>
        <td className="ts-mono ts-dimmed" data-hide>
          {model.base_url === "" ? "–" : model.base_url}
        </td>
        <td>{describeKey(model)}</td>
        {PRICE_FIELDS.map(({ name }) => (
          <td key={name} data-align="end" data-hide className="ts-number">
            {formatPrice(model[name])}
          </td>
        ))}
        <td>
          <ForWriters>
            <div className={classes.actions}>
              <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
                Test
              </Button>
              <ActionIcon aria-label={`Edit ${model.name}`} onClick={onEdit}>
                <IconPencil size={16} stroke={1.75} />
              </ActionIcon>
              <ConfirmButton
                question={`Delete ${model.name}? Its recorded calls are kept.`}
                confirm="Delete"
                onConfirm={() => remove.mutate()}
                variant="subtle"
                color="gray"
                px={6}
                loading={remove.isPending}
              >
                <IconTrash size={16} stroke={1.75} role="img" aria-label={`Delete ${model.name}`} />
              </ConfirmButton>
            </div>
          </ForWriters>
        </td>
      </tr>
      <TestResult test={test} columns={9} />
    </tbody>
  );
}

function describeKey(model: Model) {
  if (model.key_retired_at !== null) {
    return <span className={classes.bad}>Retired; give it a new one</span>;
  }
  if (model.api_key_env !== "") {
    return (
      <span className="ts-mono" title={model.has_api_key ? "Set on the server" : "Not set"}>
        {model.api_key_env}
        {!model.has_api_key && <span className={classes.bad}> (not set)</span>}
      </span>
    );
  }
  return model.has_api_key ? "Stored, encrypted" : <span className="ts-dimmed">None</span>;
}

function formatPrice(price: number | null): string {
  if (price === null) return "–";
  return dollars(price).toLocaleString("en-US", { maximumFractionDigits: 6 });
}
