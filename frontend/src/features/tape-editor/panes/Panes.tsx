/** Map, tape and inspector side by side; one at a time if there is no room. */
import { SegmentedControl } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { Group, Panel, Separator, useDefaultLayout } from "react-resizable-panels";

import { MiddlePane } from "@/features/tape-editor/panes/MiddlePane";
import { Inspector } from "@/features/tape-editor/inspector";
import { type Find, MapPane } from "@/features/tape-editor/map";
import classes from "@/features/tape-editor/panes/panes.module.css";
import type { Selection } from "@/features/tape-editor/editor";
import { AfterPaint } from "@/ui/AfterPaint";

export type PaneName = "steps" | "tape" | "inspector";

interface PanesProps {
  selection: Selection;
  pane: PaneName;
  onPane: (pane: PaneName) => void;
  find: Find;
}

export function Panes(props: PanesProps) {
  const isNarrow = useMediaQuery("(max-width: 1000px)", undefined, {
    getInitialValueInEffect: false,
  });
  return isNarrow ? <StackedPanes {...props} /> : <SidePanes {...props} />;
}

function SidePanes({ selection, find }: PanesProps) {
  const layout = useDefaultLayout({ id: "studio.tape.panes", onlySaveAfterUserInteractions: true });
  return (
    <Group
      className={classes.panes}
      orientation="horizontal"
      defaultLayout={layout.defaultLayout}
      onLayoutChanged={layout.onLayoutChanged}
    >
      <Panel id="map" defaultSize="20%" minSize="200px" maxSize="45%">
        <MapPane find={find} selected={selection.step} />
      </Panel>
      <Separator className={classes.separator} />
      <Panel id="tape" defaultSize="48%" minSize="320px">
        <MiddlePane selection={selection} />
      </Panel>
      <Separator className={classes.separator} />
      <Panel id="inspector" defaultSize="32%" minSize="280px">
        <AfterPaint>
          <Inspector selection={selection} />
        </AfterPaint>
      </Panel>
    </Group>
  );
}

function StackedPanes(props: PanesProps) {
  const { selection, pane, onPane, find } = props;
  return (
    <div className={`ts-column ${classes.stack}`}>
      <SegmentedControl
        className={classes.switch}
        fullWidth
        aria-label="Pane"
        data={[
          { value: "steps", label: "Steps" },
          { value: "tape", label: "Tape" },
          { value: "inspector", label: "Inspector" },
        ]}
        value={pane}
        onChange={onPane}
      />
      <div className={classes.only}>
        {pane === "steps" && (
          <MapPane find={find} selected={selection.step} onOpen={() => onPane("tape")} />
        )}
        {pane === "tape" && <MiddlePane selection={selection} />}
        {pane === "inspector" && <Inspector selection={selection} />}
      </div>
    </div>
  );
}
