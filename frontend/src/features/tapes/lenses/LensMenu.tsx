/** Lenses: choose one, save the current view as one, reset one, delete one. */
import { Button, Menu } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import {
  IconArrowBackUp,
  IconCheck,
  IconChevronDown,
  IconDeviceFloppy,
  IconEye,
  IconPlus,
  IconTrash,
  IconUsers,
} from "@tabler/icons-react";
import { useState } from "react";

import { changeLens, createLens, deleteLens, lensKeys } from "@/api/lenses";
import { useCanWrite } from "@/api/session";
import { showFailure } from "@/api/showFailure";
import type { LensIn, LensPatch } from "@/api/types";
import {
  ALL_LENS,
  BUILT_IN,
  fromStored,
  toStored,
  type Lens,
} from "@/features/tapes/lenses/lenses";
import { SaveLensDialog } from "@/features/tapes/lenses/SaveLensDialog";
import type { LensState } from "@/features/tapes/lenses/useLens";
import { visibleText } from "@/lib/visibleText";
import { offerUndo } from "@/ui/undoToast";

export function LensMenu({ state }: { state: LensState }) {
  const { lens, lenses, look, isChanged, choose } = state;
  const [isSaving, setSaving] = useState(false);
  const actions = useLensActions();
  const canShare = useCanWrite();
  const canChange = lens.stored?.can_change === true;
  const stored = lenses.filter((one) => one.stored !== null);
  return (
    <>
      <Menu position="bottom-start" width={240}>
        <Menu.Target>
          <Button
            variant="default"
            leftSection={<IconEye size={14} />}
            rightSection={<IconChevronDown size={14} />}
            aria-label={`Lens: ${visibleText(lens.name)}${isChanged ? ", changed" : ""}`}
          >
            <span className="ts-truncate" style={{ maxWidth: 160 }}>
              {visibleText(lens.name)}
            </span>
            {isChanged && <span className="ts-dimmed">&nbsp;· changed</span>}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah="70vh" style={{ overflowY: "auto" }}>
          {BUILT_IN.map((one) => (
            <LensItem key={one.id} lens={one} isChosen={one.id === lens.id} onChoose={choose} />
          ))}
          {stored.length > 0 && <Menu.Label>Saved</Menu.Label>}
          {stored.map((one) => (
            <LensItem key={one.id} lens={one} isChosen={one.id === lens.id} onChoose={choose} />
          ))}
          <Menu.Divider />
          {canChange && (
            <Menu.Item
              leftSection={<IconDeviceFloppy size={14} />}
              disabled={!isChanged}
              onClick={() => actions.save(lens.id, { look: toStored(look) }, choose)}
            >
              Save
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconPlus size={14} />} onClick={() => setSaving(true)}>
            Save as…
          </Menu.Item>
          <Menu.Item
            leftSection={<IconArrowBackUp size={14} />}
            disabled={!isChanged}
            onClick={() => choose(lens)}
          >
            Reset
          </Menu.Item>
          {lens.stored !== null && canChange && (
            <>
              <Menu.Divider />
              {canShare && (
                <Menu.Item
                  leftSection={<IconUsers size={14} />}
                  onClick={() =>
                    actions.save(lens.id, { is_shared: lens.stored?.is_shared !== true })
                  }
                >
                  {lens.stored.is_shared ? "Stop sharing" : "Share with the project"}
                </Menu.Item>
              )}
              <Menu.Item
                leftSection={<IconTrash size={14} />}
                onClick={() => actions.remove(lens, choose)}
              >
                Delete this lens
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <SaveLensDialog
        isOpen={isSaving}
        canShare={canShare}
        look={look}
        onClose={() => setSaving(false)}
        onSaved={(saved) => choose(fromStored(saved))}
      />
    </>
  );
}

interface LensItemProps {
  lens: Lens;
  isChosen: boolean;
  onChoose: (lens: Lens) => void;
}

function LensItem({ lens, isChosen, onChoose }: LensItemProps) {
  return (
    <Menu.Item
      aria-current={isChosen || undefined}
      leftSection={isChosen ? <IconCheck size={14} aria-hidden="true" /> : <Blank />}
      rightSection={
        lens.stored?.is_shared === true && (
          <IconUsers size={14} role="img" aria-label={`Shared by ${lens.stored.owner}`} />
        )
      }
      onClick={() => onChoose(lens)}
    >
      {visibleText(lens.name)}
    </Menu.Item>
  );
}

const Blank = () => <span style={{ display: "inline-block", width: 14 }} />;

function useLensActions() {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: lensKeys.all });
  const refuse = (error: Error) => showFailure("The lens was not changed", error);
  const change = useMutation({
    mutationFn: ({ id, part }: { id: string; part: LensPatch }) => changeLens(id, part),
    onSuccess: refresh,
    onError: refuse,
  });
  const create = useMutation({
    mutationFn: (body: LensIn) => createLens(body),
    onSuccess: refresh,
    onError: refuse,
  });
  const remove = useMutation({ mutationFn: deleteLens, onSuccess: refresh, onError: refuse });
  return {
    save: (id: string, part: LensPatch, onSaved?: (lens: Lens) => void) =>
      change.mutate({ id, part }, { onSuccess: (saved) => onSaved?.(fromStored(saved)) }),
    remove: (lens: Lens, choose: (lens: Lens) => void) =>
      remove.mutate(lens.id, {
        onSuccess: () => {
          choose(ALL_LENS);
          offerUndo(`The lens ${visibleText(lens.name)} was deleted`, () => {
            const look = toStored(lens.look);
            create.mutate({ name: lens.name, is_shared: lens.stored?.is_shared ?? false, look });
          });
        },
      }),
  };
}
