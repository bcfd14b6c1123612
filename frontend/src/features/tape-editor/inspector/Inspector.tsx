/** What is behind the chosen step: its prompt, output, price, views and origin. */
import { Tabs } from "@mantine/core";
import {
  IconChartBar,
  IconFileText,
  IconForms,
  IconMessages,
  IconNotes,
  IconPointer,
  IconRoute,
  IconSchool,
  IconStack2,
  type Icon,
} from "@tabler/icons-react";

import { FormTab } from "@/features/tape-editor/inspector/FormTab";
import { MetricsTab } from "@/features/tape-editor/inspector/MetricsTab";
import { OutputTab } from "@/features/tape-editor/inspector/OutputTab";
import { NotesTab } from "@/features/tape-editor/notes";
import { PromptTab } from "@/features/tape-editor/inspector/PromptTab";
import { ProvenanceTab } from "@/features/tape-editor/inspector/ProvenanceTab";
import { TrainingTab } from "@/features/tape-editor/inspector/TrainingTab";
import { ViewsTab } from "@/features/tape-editor/inspector/ViewsTab";
import classes from "@/features/tape-editor/inspector/inspector.module.css";
import {
  PLAYGROUND,
  type Selection,
  type StepRow,
  type Tab,
  useTapeModel,
} from "@/features/tape-editor/editor";
import { EmptyState } from "@/ui/States";

const LOOKS: Record<Tab, { word: string; icon: Icon }> = {
  prompt: { word: "Prompt", icon: IconMessages },
  output: { word: "Output", icon: IconFileText },
  metrics: { word: "Metrics", icon: IconChartBar },
  views: { word: "Views", icon: IconStack2 },
  training: { word: "Training", icon: IconSchool },
  notes: { word: "Notes", icon: IconNotes },
  provenance: { word: "Provenance", icon: IconRoute },
  form: { word: "Form", icon: IconForms },
};

export function Inspector({ selection }: { selection: Selection }) {
  const { steps } = useTapeModel();
  const { step, tab, tabs, showTab, goTo } = selection;
  const row = step === null ? undefined : steps.at(step);
  const onPlayground = () => goTo({ view: PLAYGROUND });
  return (
    <aside
      className={`ts-column ${classes.inspector}`}
      aria-label="Inspector"
      data-tour="inspector"
    >
      <Tabs
        value={tab}
        onChange={(value) => showTab(tabs.find((known) => known === value) ?? "prompt")}
        classNames={{
          root: classes.tabs,
          list: classes.tabList,
          tab: classes.tab,
          tabLabel: classes.tabLabel,
        }}
      >
        <Tabs.List aria-label="Inspector">
          {tabs.map((name, at) => (
            <InspectorTab key={name} name={name} place={at + 1} />
          ))}
        </Tabs.List>
      </Tabs>
      <div className="ts-scroll" role="tabpanel" aria-label={LOOKS[tab].word}>
        {tab === "form" ? (
          <FormTab row={row} />
        ) : row === undefined && tab === "notes" ? (
          <NotesTab row={row} />
        ) : row === undefined ? (
          <EmptyState title="No step selected" icon={<IconPointer size={24} stroke={1.5} />}>
            Select a step, or press j, to see the details behind it.
          </EmptyState>
        ) : (
          <TabContent tab={tab} row={row} onPlayground={onPlayground} />
        )}
      </div>
    </aside>
  );
}

/** A tab's name, or its icon if not all names fit; the chosen tab shows both. */
function InspectorTab({ name, place }: { name: Tab; place: number }) {
  const { word, icon: Drawn } = LOOKS[name];
  return (
    <Tabs.Tab value={name} title={`${word} (${place})`}>
      <Drawn className={classes.tabIcon} size={16} stroke={1.75} aria-hidden="true" />
      <span className={classes.tabWord}>{word}</span>
    </Tabs.Tab>
  );
}

interface TabContentProps {
  tab: Exclude<Tab, "form">;
  row: StepRow;
  onPlayground: () => void;
}

function TabContent({ tab, row, onPlayground }: TabContentProps) {
  switch (tab) {
    case "prompt":
      return <PromptTab row={row} onPlayground={onPlayground} />;
    case "output":
      return <OutputTab row={row} />;
    case "metrics":
      return <MetricsTab row={row} />;
    case "views":
      return <ViewsTab row={row} />;
    case "training":
      return <TrainingTab row={row} />;
    case "notes":
      return <NotesTab row={row} />;
    case "provenance":
      return <ProvenanceTab row={row} />;
  }
}
