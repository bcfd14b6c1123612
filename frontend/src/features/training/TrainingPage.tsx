/** Finetunes, their training sets, base models and adapters, and the models that are served. */
import { Button, Tabs } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";

import { useCanWrite } from "@/api/session";
import { AdapterList } from "@/features/training/AdapterList";
import { BaseModelList } from "@/features/training/BaseModelList";
import { DistillationList } from "@/features/training/distillation/DistillationList";
import { NewDistillation } from "@/features/training/distillation/NewDistillation";
import { FinetuneList } from "@/features/training/FinetuneList";
import { GuidePanel } from "@/features/training/guide/GuidePanel";
import { NewFinetune } from "@/features/training/NewFinetune";
import { NewSet } from "@/features/training/NewSet";
import { ServedList } from "@/features/training/ServedList";
import { SetList } from "@/features/training/SetList";
import { NewStudy } from "@/features/training/study/NewStudy";
import { StudyList } from "@/features/training/study/StudyList";
import classes from "@/features/training/training.module.css";
import { useAddress } from "@/lib/useAddress";
import { PageHeader } from "@/ui/PageHeader";

const TABS = [
  { value: "finetunes", label: "Finetunes", List: FinetuneList },
  { value: "distillations", label: "Distillations", List: DistillationList },
  { value: "studies", label: "Studies", List: StudyList },
  { value: "sets", label: "Training sets", List: SetList },
  { value: "adapters", label: "Adapters", List: AdapterList },
  { value: "bases", label: "Base models", List: BaseModelList },
  { value: "served", label: "Served models", List: ServedList },
  { value: "guide", label: "Guide", List: GuidePanel },
];

const NEW = [
  { value: "set", label: "New training set" },
  { value: "distillation", label: "New distillation" },
  { value: "finetune", label: "New finetune" },
];
const NEW_STUDY = [{ value: "study", label: "New study" }];

/** A study makes its own set and finetune, so on its tab nothing else is offered. */
const newOn = (tab: string) => (tab === "studies" ? NEW_STUDY : NEW);

/** Closing a form removes its parameters from the address. */
const CLOSED = Object.fromEntries(
  ["new", "q", "set", "from", "name", "source", "writer", "preset"].map((name) => [name, null]),
);

export function TrainingPage() {
  const [address, change] = useAddress();
  const canWrite = useCanWrite();
  const tab = TABS.find(({ value }) => value === address.get("tab"))?.value ?? "finetunes";
  const making = canWrite ? address.get("new") : null;
  const close = () => change(CLOSED, { replace: true });
  return (
    <>
      <PageHeader title="Training" guide="training">
        {canWrite &&
          newOn(tab).map(({ value, label }, at, all) => (
            <Button
              key={value}
              variant={at === all.length - 1 ? "filled" : "default"}
              leftSection={<IconPlus size={14} />}
              onClick={() => change({ new: value })}
            >
              {label}
            </Button>
          ))}
      </PageHeader>
      <Tabs
        className={`ts-column ${classes.tabs}`}
        value={tab}
        onChange={(value) => change({ tab: value })}
        keepMounted={false}
      >
        <Tabs.List aria-label="Training">
          {TABS.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {TABS.map(({ value, List }) => (
          <Tabs.Panel key={value} value={value} className={`ts-column ${classes.panel}`}>
            <List canWrite={canWrite} />
          </Tabs.Panel>
        ))}
      </Tabs>
      <NewSet isOpen={making === "set"} onClose={close} />
      <NewDistillation isOpen={making === "distillation"} onClose={close} />
      <NewStudy isOpen={making === "study"} onClose={close} />
      <NewFinetune isOpen={making === "finetune"} onClose={close} />
    </>
  );
}
